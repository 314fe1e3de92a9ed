variable "env" {
  type = string
}

# phi: input.release (terraform_data.db) — gate: Existing(var.env == "prod") — trace: modules/db/main.tf:9-17 — compiler: tf-phi golden
module "db_v15_4" {
  source = "../db-v15-4"
  count  = var.env == "prod" ? (var.env == "prod" ? 2 : 1) : 0
}

# phi: input.release (terraform_data.db) — gate: Not(Existing(var.env == "prod")) — trace: modules/db/main.tf:9-17 — compiler: tf-phi golden
module "db_v14_9" {
  source = "../db-v14-9"
  count  = var.env == "prod" ? 0 : (var.env == "prod" ? 2 : 1)
}
