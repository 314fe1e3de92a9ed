# phi: aws_db_instance.app — service: pg — form factor: on-prem
module "app" {
  source            = "./services/pg"
  allocated_storage = 20
}
