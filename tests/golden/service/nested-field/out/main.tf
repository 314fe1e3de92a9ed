variable "prod" {
  type = bool

  # phi: the values that are specialised
  validation {
    condition     = var.prod != null
    error_message = "prod must be true or false: null is not specialised. Give it a `default = null` if it is meant."
  }
}

# phi: terraform_data.db — service: pg — form factor: on-prem
# phi: input.engine_version (module.db) — gate: Existing(var.prod) — trace: main.tf:5-10 — compiler: tf-phi golden
module "db_v15_4" {
  count  = var.prod ? 1 : 0
  source = "./services/pg"
  input = {
    engine         = "postgres"
    engine_version = "15.4"
  }
}

# phi: input.engine_version (module.db) — gate: Not(Existing(var.prod)) — trace: main.tf:5-10 — compiler: tf-phi golden
module "db_v14_9" {
  count  = var.prod ? 0 : 1
  source = "./services/pg"
  input = {
    engine         = "postgres"
    engine_version = "14.9"
  }
}

output "db" {
  value = one(concat(module.db_v15_4[*].release, module.db_v14_9[*].release)).engine_version
}
