variable "env" {
  type = string
}

# phi: input.version (terraform_data.database) — gate: Existing(var.env == "prod") — trace: modules/database/main.tf:25-30 — compiler: tf-phi golden
module "database_v16" {
  count  = var.env == "prod" ? 1 : 0
  source = "./modules/database-v16"

  name = "app"
}

# phi: input.version (terraform_data.database) — gate: Not(Existing(var.env == "prod")) — trace: modules/database/main.tf:25-30 — compiler: tf-phi golden
module "database_v15" {
  count  = var.env == "prod" ? 0 : 1
  source = "./modules/database-v15"

  name = "app"
}

output "all" {
  value = one(concat(module.database_v16[*].all, module.database_v15[*].all))
}
