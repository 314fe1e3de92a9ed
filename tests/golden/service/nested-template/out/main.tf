variable "env" {
  type = string
}

# phi: aws_db_instance.app — service: pg — form factor: on-prem
# phi: engine_version (module.app) — gate: Existing(var.env == "prod") — trace: main.tf:5-9 — compiler: tf-phi golden
module "app_v16_2" {
  count             = var.env == "prod" ? 1 : 0
  source            = "./services/pg-v16-2"
  allocated_storage = 20
}

# phi: engine_version (module.app) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:5-9 — compiler: tf-phi golden
module "app_v15_4" {
  count             = var.env == "prod" ? 0 : 1
  source            = "./services/pg-v15-4"
  allocated_storage = 20
}

output "address" {
  value = one(concat(module.app_v16_2[*].host, module.app_v15_4[*].host))
}
