variable "prod" {
  type = bool
}

# phi: module.replica — service: pg — form factor: on-prem
module "on_prem_replica" {
  source   = "../../services/pg-v16-2"
  for_each = toset(["a", "b"])

  identifier = "replica-${each.key}"
}

output "addresses" {
  value = { for name in ["a", "b"] : name => module.on_prem_replica[name].host }
}
