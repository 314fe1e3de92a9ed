variable "engine" {
  type    = string
  default = "postgres"
}

variable "engine_version" {
  type    = string
  default = null
}

variable "identifier" {
  type = string
}

module "instance" {
  source = "./modules/db_instance"

  engine         = var.engine
  engine_version = var.engine_version
  identifier     = var.identifier
}

output "db_instance_address" {
  value = module.instance.address
}
