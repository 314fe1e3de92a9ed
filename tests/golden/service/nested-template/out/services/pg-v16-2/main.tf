variable "allocated_storage" {
  type = number
}

module "storage" {
  source = "../pg/storage-v16-2"

  size = var.allocated_storage
}

output "host" {
  value = module.storage.host
}
