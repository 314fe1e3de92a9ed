module "network" {
  source = "./network"
}

module "database" {
  source = "./database"

  vpc_id     = module.network.vpc_id
  subnet_ids = module.network.subnet_ids
  group      = module.network.group
}

module "whole" {
  source = "./network"
}

output "all" {
  value = [for name, value in module.whole : value if name == "region"]
}
