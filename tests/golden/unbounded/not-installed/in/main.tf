module "database" {
  source  = "terraform-aws-modules/rds/aws"
  version = "6.0.0"
}

resource "terraform_data" "db" {
  input = module.database.engine
}
