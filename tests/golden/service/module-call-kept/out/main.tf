# phi: module.db — service: pg — form factor: on-prem
module "on_prem_db" {
  source = "./services/pg"
  count  = 2

  identifier     = "app-${count.index}"
  engine_version = "15.4"
}

# Another engine.
module "legacy" {
  source  = "terraform-aws-modules/rds/aws"
  version = "6.10.0"

  identifier = "legacy"
  engine     = "mysql"
}

# Another module of the same package.
module "only" {
  source  = "terraform-aws-modules/rds/aws//modules/db_instance"
  version = "6.10.0"

  identifier = "only"
  engine     = "mysql"
}

output "addresses" {
  value = concat(module.on_prem_db[*].host, [module.legacy.db_instance_address, module.only.address])
}
