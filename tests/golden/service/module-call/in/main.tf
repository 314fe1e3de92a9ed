variable "prod" {
  type = bool
}

module "db" {
  source  = "terraform-aws-modules/rds/aws"
  version = "~> 6.0"

  identifier        = "app"
  engine            = "postgres"
  engine_version    = var.prod ? "15.4" : "14.9"
  allocated_storage = 20

  # The network.
  subnet_ids             = ["subnet-1"]
  vpc_security_group_ids = ["sg-1"]
}

module "data" {
  source = "./modules/data"

  prod = var.prod
}

resource "terraform_data" "app" {
  input      = "postgres://${module.db.db_instance_address}:${module.db.db_instance_port}"
  depends_on = [module.db]
}

output "replicas" {
  value = module.data.addresses
}
