variable "prod" {
  type = bool
}

# phi: module.replica — service: pg — form factor: on-prem
module "on_prem_replica" {
  source   = "../../services/pg"
  for_each = toset(["a", "b"])

  identifier     = "replica-${each.key}"
  engine_version = "16.2"
}

output "addresses" {
  value = { for name in ["a", "b"] : name => module.on_prem_replica[name].host }
}
