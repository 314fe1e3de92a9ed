# phi: aws_db_instance.app — service: pg — form factor: on-prem
# phi: engine_version (module.app) — gate: Existing(true) — trace: modules/db/main.tf:9-12 — compiler: tf-phi golden
module "app" {
  source = "../../services/pg-v14-9"
}

resource "terraform_data" "readme" {
  input = "modules/db/README.md"
}

output "host" {
  value = module.app.host
}
