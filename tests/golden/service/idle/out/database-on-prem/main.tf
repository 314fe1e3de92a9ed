variable "name" {
  type = string
}

variable "unused" {
  default = null
}

locals {
  upper = upper(var.name)
}

# phi: aws_db_instance.this — service: db — form factor: on-prem
module "this" {
  source         = "../services/db"
  identifier     = local.upper
  engine_version = "15.4"
}

output "address" {
  value = module.this.address
}

