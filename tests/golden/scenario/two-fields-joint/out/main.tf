variable "env" {
  type = string
}

variable "big" {
  type = bool
}

# phi: input (terraform_data.db), triggers_replace (terraform_data.db) — gate: Existing(var.env == "prod") — trace: db/main.tf:9-12 — compiler: tf-phi golden
module "db_v15_4_db_r6" {
  count  = var.env == "prod" ? 1 : 0
  source = "./db-v15-4-db-r6"
}

# phi: input (terraform_data.db), triggers_replace (terraform_data.db) — gate: And(Not(Existing(var.env == "prod")), Existing(var.big)) — trace: db/main.tf:9-12 — compiler: tf-phi golden
module "db_v16_2_db_m6" {
  count  = (var.env == "prod" ? false : var.big) ? 1 : 0
  source = "./db-v16-2-db-m6"
}

# phi: input (terraform_data.db), triggers_replace (terraform_data.db) — gate: And(Not(Existing(var.env == "prod")), Not(Existing(var.big))) — trace: db/main.tf:9-12 — compiler: tf-phi golden
module "db_v16_2_db_t3" {
  count  = (var.env == "prod" ? false : !var.big) ? 1 : 0
  source = "./db-v16-2-db-t3"
}
