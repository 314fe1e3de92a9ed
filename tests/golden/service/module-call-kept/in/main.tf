module "db" {
  count   = 2
  source  = "terraform-aws-modules/rds/aws"
  version = "6.10.0"

  identifier     = "app-${count.index}"
  engine         = "postgres"
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
  value = concat(module.db[*].db_instance_address, [module.legacy.db_instance_address, module.only.address])
}
