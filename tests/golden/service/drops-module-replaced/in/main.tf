module "db" {
  source  = "terraform-aws-modules/rds/aws"
  version = "~> 6.0"

  identifier     = "app"
  engine         = "postgres"
  engine_version = "15.4"
}

module "legacy" {
  source  = "terraform-aws-modules/rds/aws"
  version = "~> 6.0"

  providers = {
    aws = aws.old
  }

  identifier = "legacy"
  engine     = "mysql"
}

output "address" {
  value = module.db.db_instance_address
}
