# phi: aws_db_instance.app — service: cloudnative-pg — form factor: on-prem
module "app" {
  source            = "./.phi/services/cloudnative-pg/aws_db_instance"
  mirror            = "registry.example/mirror"
  operator          = module.cloudnative_pg_operator.ready
  identifier        = "app"
  engine_version    = "16"
  instance_class    = "db.t3.micro"
  allocated_storage = 20
}
