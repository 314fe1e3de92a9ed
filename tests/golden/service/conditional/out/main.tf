variable "customer_env" {
  type = string
}

locals {
  version = var.customer_env == "prod" ? "15.4" : "14.9"
}

# The database of the application.
# phi: aws_db_instance.app — service: cloudnative-pg — form factor: on-prem
# phi: engine_version (module.app) — gate: Existing(var.customer_env == "prod") — trace: main.tf:10-27 — compiler: tf-phi golden
module "app_v15_4" {
  count      = var.customer_env == "prod" ? 1 : 0
  source     = "./services/cloudnative-pg-v15-4"
  identifier = "app"

  # as much as it had
  allocated_storage = 100
}

# phi: engine_version (module.app) — gate: Not(Existing(var.customer_env == "prod")) — trace: main.tf:10-27 — compiler: tf-phi golden
module "app_v14_9" {
  count      = var.customer_env == "prod" ? 0 : 1
  source     = "./services/cloudnative-pg-v14-9"
  identifier = "app"

  # as much as it had
  allocated_storage = 100
}

resource "terraform_data" "app" {
  input = "postgres://${one(concat(module.app_v15_4[*].host, module.app_v14_9[*].host))}:${one(concat(module.app_v15_4[*].port, module.app_v14_9[*].port))}/app"

  depends_on = [module.app_v15_4, module.app_v14_9]
}

output "address" {
  value = one(concat(module.app_v15_4[*].host, module.app_v14_9[*].host))
}
