variable "allocated_storage" {
  type = number
}

module "storage" {
  source = "../pg/storage-v15-4"

  size = var.allocated_storage
}

# A template that the version selects.
module "legacy" {
  count  = 1
  source = "../pg/legacy-v15-4"
}

output "host" {
  value = true ? module.legacy[0].host : module.storage.host
}
