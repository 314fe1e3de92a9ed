variable "allocated_storage" {
  type = number
}

locals {
  major = "16"
}

# From the version alone, by a local and by a function.
module "image" {
  source = "../pg/image-v16"
}

# From both fields, and from what nothing drives.
module "storage" {
  source = "../pg/storage-fast"

  name = "pg-${var.allocated_storage}-${local.major}"
  size = var.allocated_storage
}

# From the instance, and from a file.
module "plain" {
  count  = 2
  source = "../pg/plain"

  name  = "${local.major}-${count.index}"
  notes = file("notes-${local.major}.txt")
}

output "host" {
  value = module.storage.host
}

output "all" {
  value = [module.image.name, module.plain[*].name]
}
