variable "stage" {
  type    = string
  default = "test"
}

locals {
  stores = {
    audit  = { versioned = true, protect = true }
    media  = { versioned = true, protect = var.stage == "live" }
    events = { versioned = false, protect = false }
  }
}

module "store" {
  source   = "./modules/s3-bucket"
  for_each = local.stores

  bucket = "harbour-${each.key}-${var.stage}"
  versioning = {
    enabled = each.value.versioned
  }
  protect = each.value.protect
}

output "arns" {
  value = { for name, store in module.store : name => store.s3_bucket_arn }
}

output "media" {
  value = module.store["media"].s3_bucket_id
}
