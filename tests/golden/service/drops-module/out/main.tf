variable "name" {
  type = string
}

locals {
  tags = { team = "data" }
}

module "wrapped" {
  source = "./wrapped-on-prem"

  name = var.name
}

# phi: aws_db_instance.app — service: db — form factor: on-prem
module "app" {
  source         = "./services/db"
  identifier     = var.name
  engine_version = "15.4"
}

output "address" {
  value = [module.app.address, module.wrapped.name, local.tags]
}
