# What stays refers to it.
module "used" {
  source = "./group-on-prem"

  name = "used"
}

# phi: aws_db_instance.app — service: db — form factor: on-prem
module "app" {
  source         = "./services/db"
  identifier     = "app"
  engine_version = "15.4"
}

output "group" {
  value = module.used.id
}
