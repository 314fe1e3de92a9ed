variable "prod" {
  type = bool
}

# phi: aws_db_instance.app — service: cloudnative-pg — form factor: on-prem
module "app" {
  source            = "../../.phi/modules/aws_db_instance-v16-2"
  mirror            = "registry.example"
  namespace         = "databases"
  storage_class     = "fast"
  operator          = var.cloudnative_pg_operator
  parameter_group   = {}
  identifier        = "app"
  instance_class    = "db.m6g.large"
  allocated_storage = 100
  multi_az          = var.prod
}

output "url" {
  value = "postgres://${module.app.endpoint}/${module.app.db_name}"
}
