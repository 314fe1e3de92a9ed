variable "env" {
  type = string
}

# phi: triggers_replace (terraform_data.backup), input.engine (terraform_data.this) — gate: Existing(var.env == "prod") — trace: modules/db/main.tf:21-24, modules/db/modules/instance/main.tf:58-65 — compiler: tf-phi golden
module "db_v15_4" {
  count  = var.env == "prod" ? 1 : 0
  source = "./modules/db-v15-4"

  name = "orders"
}

# phi: triggers_replace (terraform_data.backup), input.engine (terraform_data.this) — gate: Existing(var.env == "stage") — trace: modules/db/main.tf:21-24, modules/db/modules/instance/main.tf:58-65 — compiler: tf-phi golden
module "db_v16_2" {
  count  = var.env == "stage" ? 1 : 0
  source = "./modules/db-v16-2"

  name = "orders"
}

# phi: triggers_replace (terraform_data.backup), input.engine (terraform_data.this) — gate: And(Not(Existing(var.env == "prod")), Not(Existing(var.env == "stage"))) — trace: modules/db/main.tf:21-24, modules/db/modules/instance/main.tf:58-65 — compiler: tf-phi golden
module "db_v17_1" {
  count  = var.env == "prod" || var.env == "stage" ? 0 : 1
  source = "./modules/db-v17-1"

  name = "orders"
}

output "address" {
  value = one(concat(module.db_v15_4[*].address, module.db_v16_2[*].address, module.db_v17_1[*].address))
}
