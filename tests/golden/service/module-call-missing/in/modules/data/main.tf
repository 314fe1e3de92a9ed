variable "prod" {
  type = bool
}

module "replica" {
  for_each = toset(["a", "b"])
  source   = "registry.terraform.io/terraform-aws-modules/rds/aws"
  version  = "6.10.0"

  identifier     = "replica-${each.key}"
  engine         = "postgres"
  engine_version = "16.2"
}

output "addresses" {
  value = { for name in ["a", "b"] : name => module.replica[name].db_instance_address }
}
