module "db" {
  source     = "../db"
  engine     = "postgres"
  version_of = "14.9"
}

output "host" {
  value = module.db.host
}
