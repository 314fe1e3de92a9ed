variable "name" {
  type = string
}

resource "terraform_data" "group" {
  input = var.name
}

resource "aws_db_instance" "inside" {
  identifier     = var.name
  engine_version = "15.4"
}

output "id" {
  value = terraform_data.group.output
}
