variable "zones" {
  type = number
}

variable "tier" {
  type = string
}

# Within each region, a module per zone.
module "zone" {
  source   = "./zone"
  for_each = toset(slice(["a", "b", "c"], 0, var.zones))
  name     = "zone-${each.key}"
  tier     = var.tier
}

output "zones" {
  value = [for zone in module.zone : zone.tier]
}
