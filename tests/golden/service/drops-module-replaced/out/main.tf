# phi: module.db — service: db — form factor: on-prem
module "on_prem_db" {
  source         = "./services/db"
  identifier     = "app"
  engine_version = "15.4"
}

output "address" {
  value = module.on_prem_db.address
}
