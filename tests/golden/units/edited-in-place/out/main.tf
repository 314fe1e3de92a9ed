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
  source   = "./modules/net"
  for_each = local.networks

  cidr    = each.value.cidr
  protect = each.value.protect
  pinned  = var.env == "dev" ? "15" : "16"
  drift   = var.env == "prod"
}

module "other" {
  source = "./modules/net"

  cidr    = "10.2.0.0/16"
  protect = var.env == "qa"
  pinned  = var.env == "dev" ? "15" : "16"
  drift   = var.env == "dev"
}

module "between" {
  source = "./modules/between"
  env    = var.env
}

# Always protected: one of the values that the others choose from.
module "archive" {
  source = "./modules/net"

  cidr    = "10.4.0.0/16"
  protect = true
  pinned  = "16"
  drift   = false
}

# The last one's value is none of the first one's, so that the module is copied for each.
module "uneven" {
  source = "./modules/uneven-split"
  kind   = var.env == "prod" ? "a" : "b"
}

# phi: lifecycle.ignore_changes (terraform_data.uneven) — gate: Existing(true) — trace: modules/uneven/main.tf:3-7 — compiler: tf-phi golden
module "even" {
  source = "./modules/uneven-ignore-changes-empty"
}

output "networks" {
  value = { for k, n in module.net : k => n.id }
}
