# phi: engine_version (module.app) — gate: Existing(true) — trace: modules/db/main.tf:9-12 — compiler: tf-phi golden
module "db" {
  source = "../db-on-prem-v14-9"
}

output "host" {
  value = module.db.host
}
