variable "name" {
  type = string
}

resource "terraform_data" "group" {
  input = var.name
}

# phi: aws_db_instance.inside — service: db — form factor: on-prem
module "inside" {
  source         = "../services/db"
  identifier     = var.name
  engine_version = "15.4"
}

output "id" {
  value = terraform_data.group.output
}
