# phi: engine_version (module.app) — gate: Existing(var.prod) — trace: modules/db/main.tf:9-12 — compiler: tf-phi golden
module "orders_v15_4" {
  count  = var.prod ? 1 : 0
  source = "./modules/db-on-prem-v15-4"
}

# phi: engine_version (module.app) — gate: Not(Existing(var.prod)) — trace: modules/db/main.tf:9-12 — compiler: tf-phi golden
module "orders_v14_9" {
  count  = var.prod ? 0 : 1
  source = "./modules/db-on-prem-v14-9"
}

module "legacy" {
  source  = "./modules/db"
  engine  = "mysql"
  version_of = "8.0"
}

# phi: engine_version (module.app) — gate: Existing(true) — trace: modules/db/main.tf:9-12 — compiler: tf-phi golden
module "deep" {
  source = "./modules/deep-on-prem-v14-9"
}

variable "prod" {
  type = bool
}

output "hosts" {
  value = [one(concat(module.orders_v15_4[*].host, module.orders_v14_9[*].host)), module.legacy.host, module.deep.host]
}
