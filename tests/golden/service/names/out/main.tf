# phi: aws_db_instance.app — service: pg — form factor: on-prem
module "aws_db_instance_app" {
  source         = "./services/pg"
  engine_version = "15.4"
}

# phi: aws_rds_cluster.app — service: cluster — form factor: on-prem
module "aws_rds_cluster_app" {
  source         = "./services/pg"
  engine_version = "14.9"
}

# phi: aws_db_instance.other — service: pg — form factor: on-prem
module "aws_db_instance_other" {
  source         = "./services/pg"
  engine_version = "14.9"
}

module "other" {
  source = "./other"
}

output "all" {
  value = [module.aws_db_instance_app.host, module.aws_rds_cluster_app.port, module.aws_db_instance_other.host]
}
