variable "engine_version" {
  type = string
}

variable "instance_class" {
  type = string
}

variable "allocated_storage" {
  type = number
}

locals {
  major = split(".", var.engine_version)[0]
  sizes = { small = 1, large = 4 }
  size  = local.sizes[element(split(".", var.instance_class), 2)]
}

# From the version alone, by a local and by a function.
module "image" {
  source = "./image"

  major = local.major
  minor = tonumber(regex("[0-9]+$", var.engine_version))
}

# From both fields, and from what nothing drives.
module "storage" {
  source = "./storage"

  large = local.size > 2 && local.major != "15"
  name  = "pg-${var.allocated_storage}-${local.major}"
  size  = var.allocated_storage
}

# From the instance, and from a file.
module "plain" {
  count  = 2
  source = "./plain"

  name  = "${local.major}-${count.index}"
  notes = file("notes-${local.major}.txt")
}

output "host" {
  value = module.storage.host
}

output "all" {
  value = [module.image.name, module.plain[*].name]
}
