variable "engine_version" {
  type = string
}

variable "allocated_storage" {
  type = number
}

locals {
  major = split(".", var.engine_version)[0]
}

module "storage" {
  source = "./storage"

  engine_version = var.engine_version
  size           = var.allocated_storage
}

# A template that the version selects.
module "legacy" {
  count  = local.major == "15" ? 1 : 0
  source = "./legacy"

  engine_version = var.engine_version
}

output "host" {
  value = local.major == "15" ? module.legacy[0].host : module.storage.host
}
