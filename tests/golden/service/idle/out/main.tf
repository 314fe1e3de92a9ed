# Stays, as its output is used.
module "names" {
  source = "./names"
  name   = "app"
}

locals {
  tags = { team = "data" }
}

module "database" {
  source = "./database-on-prem"

  name = module.names.long
}

module "replica" {
  for_each = toset(["a"])
  source   = "./database-on-prem"

  name = each.key
}

output "address" {
  value = [module.database.address, local.tags]
}
