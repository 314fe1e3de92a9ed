module "network" {
  source = "./network"

  name = "app"
}

# Stays, as its output is used.
module "names" {
  source = "./names"
  name   = "app"
}

locals {
  tags    = { team = "data" }
  subnets = module.network.subnet_ids
}

module "database" {
  source = "./database"

  name       = module.names.long
  vpc_id     = module.network.vpc_id
  subnet_ids = local.subnets
}

module "replica" {
  for_each = toset(["a"])
  source   = "./database"

  name       = each.key
  vpc_id     = module.network["vpc_id"]
  subnet_ids = local.subnets
}

output "address" {
  value = [module.database.address, local.tags]
}
