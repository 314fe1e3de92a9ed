# phi: aws_db_instance.app — service: pg — form factor: on-prem
module "app" {
  source = "../../services/pg-v15-4"
}

resource "terraform_data" "readme" {
  input = "modules/db/README.md"
}

output "host" {
  value = module.app.host
}
