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
# phi: input.engine_version (terraform_data.this) — gate: Or(Eq(each.key, "invoices"), And(Eq(each.key, "orders"), Existing(var.env == "prod"))) — trace: modules/db/modules/instance/main.tf:23-30 — compiler: tf-phi golden
module "database_v15_4" {
  source   = "./modules/db-v15-4"
  for_each = { for each_key, each_value in local.databases : each_key => each_value if var.env == "prod" || each_key == "invoices" }

  identifier = "${each.key}-${var.env}"
  family     = "postgres${split(".", each.value.version)[0]}"
  memory     = each.value.memory
  multi_az   = var.env == "prod"
  env        = var.env
  unused     = var.env
}

# phi: input.engine_version (terraform_data.this) — gate: And(Eq(each.key, "orders"), Not(Existing(var.env == "prod"))) — trace: modules/db/modules/instance/main.tf:23-30 — compiler: tf-phi golden
module "database_v14_9" {
  source   = "./modules/db-v14-9"
  for_each = { for each_key, each_value in local.databases : each_key => each_value if var.env == "dev" && each_key == "orders" }

  identifier = "${each.key}-${var.env}"
  family     = "postgres${split(".", each.value.version)[0]}"
  memory     = each.value.memory
  multi_az   = var.env == "prod"
  env        = var.env
  unused     = var.env
}

# One database for which the choice is made within the module.
# phi: input.engine_version (terraform_data.this) — gate: Existing(var.env == "prod") — trace: modules/db/modules/instance/main.tf:23-30 — compiler: tf-phi golden
module "archive_v15_4" {
  count  = var.env == "prod" ? 1 : 0
  source = "./modules/db-v15-4"

  identifier = "archive"

  memory = 2
  env    = var.env
}

# phi: input.engine_version (terraform_data.this) — gate: Not(Existing(var.env == "prod")) — trace: modules/db/modules/instance/main.tf:23-30 — compiler: tf-phi golden
module "archive_v14_9" {
  count  = var.env == "prod" ? 0 : 1
  source = "./modules/db-v14-9"

  identifier = "archive"

  memory = 2
  env    = var.env
}

output "endpoints" {
  value = { for k, d in merge(module.database_v15_4, module.database_v14_9) : k => d.endpoint }
}
