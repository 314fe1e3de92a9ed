variable "env" {
  type = string
}

# phi: aws_db_instance.app — service: pg — form factor: on-prem
# phi: engine_version (module.app), instance_class (module.app) — gate: Existing(var.env == "prod") — trace: main.tf:5-10 — compiler: tf-phi golden
module "app_v16_2_db_r5_large" {
  count             = var.env == "prod" ? 1 : 0
  source            = "./services/pg-v16-2-db-r5-large"
  allocated_storage = 20
}

# phi: engine_version (module.app), instance_class (module.app) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:5-10 — compiler: tf-phi golden
module "app_v15_4_db_t3_small" {
  count             = var.env == "prod" ? 0 : 1
  source            = "./services/pg-v15-4-db-t3-small"
  allocated_storage = 20
}

output "address" {
  value = one(concat(module.app_v16_2_db_r5_large[*].host, module.app_v15_4_db_t3_small[*].host))
}
