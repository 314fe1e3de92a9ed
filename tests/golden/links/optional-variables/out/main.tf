variable "env" {
  type = string

  validation {
    condition     = contains(["prod", "stage"], var.env)
    error_message = "One of prod and stage."
  }
}

# phi: input.class (terraform_data.this), input.engine (terraform_data.this), input.port (terraform_data.this) — gate: Existing(var.env == "prod") — trace: modules/db/main.tf:1-8 — compiler: tf-phi golden
module "db_large_v15_4_v5432" {
  count  = var.env == "prod" ? 1 : 0
  source = "./modules/db-large-v15-4-v5432"
  name   = "orders"
  port   = var.env == "prod" ? 5432 : 5433
}

# phi: input.class (terraform_data.this), input.engine (terraform_data.this), input.port (terraform_data.this) — gate: Not(Existing(var.env == "prod")) — trace: modules/db/main.tf:1-8 — compiler: tf-phi golden
module "db_small_v16_2_v5433" {
  count  = var.env == "prod" ? 0 : 1
  source = "./modules/db-small-v16-2-v5433"
  name   = "orders"
  port   = var.env == "prod" ? 5432 : 5433
}
