variable "env" {
  type = string

  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "dev or prod."
  }
}

locals {
  databases = {
    orders   = { version = var.env == "prod" ? "15.4" : "14.9", memory = 4 }
    invoices = { version = "15.4", memory = 8 }
  }
}

# Undriven arguments stay as they are, whatever the gate says of them.
module "database" {
  source   = "./modules/db"
  for_each = local.databases

  identifier     = "${each.key}-${var.env}"
  engine_version = each.value.version
  family         = "postgres${split(".", each.value.version)[0]}"
  memory         = each.value.memory
  multi_az       = var.env == "prod"
  env            = var.env
  unused         = var.env
}

# One database for which the choice is made within the module.
module "archive" {
  source = "./modules/db"

  identifier = "archive"

  engine_version = var.env == "prod" ? "15.4" : "14.9"

  memory = 2
  env    = var.env
}

output "endpoints" {
  value = { for k, d in module.database : k => d.endpoint }
}
