variable "env" {
  type = string

  validation {
    condition     = contains(["dev", "qa", "prod"], var.env)
    error_message = "dev, qa or prod."
  }
}

locals {
  networks = {
    inner = { cidr = "10.0.0.0/16", protect = false }
    outer = { cidr = "10.1.0.0/16", protect = var.env == "prod" }
  }
}

module "net" {
  source   = "./modules/net-split"
  for_each = local.networks

  cidr    = each.value.cidr
  protect = each.value.protect
  pinned  = var.env == "dev" ? "15" : "16"
  drift   = var.env == "prod"
}

module "other" {
  source = "./modules/net-split"

  cidr    = "10.2.0.0/16"
  protect = var.env == "qa"
  pinned  = var.env == "dev" ? "15" : "16"
  drift   = false
}

output "networks" {
  value = { for k, n in module.net : k => n.id }
}
