variable "engine_version" {
  type = string
}

variable "instance_class" {
  type = string
}

variable "storage_type" {
  type = string
}

variable "allocated_storage" {
  type = number
}

locals {
  major  = split(".", var.engine_version)[0]
  large  = var.instance_class == "db.r5.large"
  charts = { "15" = "0.20", "16" = "0.21" }
}

module "image" {
  source = "./image"

  major = local.major
}

resource "terraform_data" "database" {
  input = {
    chart = local.charts[local.major]
    image = module.image.name
    size  = local.large ? var.allocated_storage * 2 : var.allocated_storage
    fast  = var.storage_type == "gp3"
  }
}

resource "terraform_data" "upgrade" {
  count = local.major == "15" ? 1 : 0
  input = "upgrade"
}

output "host" {
  value = "db"
}
