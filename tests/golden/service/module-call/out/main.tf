variable "prod" {
  type = bool
}

# phi: module.db — service: pg — form factor: on-prem
# phi: engine_version (module.on_prem_db) — gate: Existing(var.prod) — trace: main.tf:5-17 — compiler: tf-phi golden
module "on_prem_db_v15_4" {
  count             = var.prod ? 1 : 0
  source            = "./services/pg-v15-4"
  identifier        = "app"
  allocated_storage = 20
}

# phi: engine_version (module.on_prem_db) — gate: Not(Existing(var.prod)) — trace: main.tf:5-17 — compiler: tf-phi golden
module "on_prem_db_v14_9" {
  count             = var.prod ? 0 : 1
  source            = "./services/pg-v14-9"
  identifier        = "app"
  allocated_storage = 20
}

module "data" {
  source = "./modules/data-on-prem-v16-2"

  prod = var.prod
}

resource "terraform_data" "app" {
  input      = "postgres://${one(concat(module.on_prem_db_v15_4[*].host, module.on_prem_db_v14_9[*].host))}:${one(concat(module.on_prem_db_v15_4[*].port, module.on_prem_db_v14_9[*].port))}"
  depends_on = [module.on_prem_db_v15_4, module.on_prem_db_v14_9]
}

output "replicas" {
  value = module.data.addresses
}
