variable "env" {
  type = string
}

# One module on four paths, each with its own argument; the last one takes the default.
# phi: input (terraform_data.db) — gate: Existing(var.env == "prod") — trace: stack/db/main.tf:6-8 — compiler: tf-phi golden
module "first_db_large" {
  count  = var.env == "prod" ? 1 : 0
  source = "./stack-db-large"
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.env == "prod")) — trace: stack/db/main.tf:6-8 — compiler: tf-phi golden
module "first_db_small" {
  count  = var.env == "prod" ? 0 : 1
  source = "./stack-db-small"
}

# phi: input (terraform_data.db) — gate: Existing(true) — trace: stack/db/main.tf:6-8 — compiler: tf-phi golden
module "second" {
  source = "./stack-db-tiny"
}

# phi: input (terraform_data.db) — gate: Existing(true) — trace: stack/db/main.tf:6-8 — compiler: tf-phi golden
module "db" {
  source = "./stack/db-usual"
}
