variable "prod" {
  type = bool
}

# phi: aws_db_instance.app — service: cloudnative-pg — form factor: on-prem
module "app" {
  source            = "../../.phi/services/cloudnative-pg/aws_db_instance"
  mirror            = "registry.example"
  namespace         = "databases"
  storage_class     = "fast"
  operator          = var.cloudnative_pg_operator
  parameter_group   = {}
  identifier        = "app"
  engine_version    = "16.2"
  instance_class    = "db.m6g.large"
  allocated_storage = 100
  multi_az          = var.prod
}

output "url" {
  value = "postgres://${module.app.endpoint}/${module.app.db_name}"
}
