# phi: aws_db_instance.app — service: pg — form factor: on-prem
module "app" {
  source         = "./services/pg"
  engine_version = "15.4"

  storage = {
    size = 20
  }
}

# phi: aws_db_instance.line — service: pg — form factor: on-prem
module "line" {
  source         = "./services/pg"
  engine_version = "14.9"
}
