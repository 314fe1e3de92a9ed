module "db" {
  source     = "../db-on-prem-v14-9"
  engine     = "postgres"
}

output "host" {
  value = module.db.host
}
