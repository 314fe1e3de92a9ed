# phi: aws_db_instance.app — service: pg — form factor: on-prem
module "app" {
  source = "./services/pg"
  labels = { team = "data" }
  size   = 30
}

# phi: aws_db_instance.short — service: pg — form factor: on-prem
module "short" {
  source = "./services/pg"
  labels = { team = "data" }
  size   = 30
}
