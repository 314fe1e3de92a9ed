module "db" {
  source     = "../db-on-prem-v14-9"
  engine     = "postgres"
  version_of = "14.9"
}

output "host" {
  value = module.db.host
}
