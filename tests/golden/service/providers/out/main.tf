terraform {
  required_version = ">= 1.5"

  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

# phi: aws_db_instance.app — service: pg — form factor: on-prem
module "app" {
  source         = "./services/pg"
  engine_version = "15.4"
}
