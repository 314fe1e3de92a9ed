variable "zones" {
  type = number
}

# Within each region, a module per zone.
module "zone" {
  source   = "../region/zone-gold"
  for_each = toset(slice(["a", "b", "c"], 0, var.zones))
  name     = "zone-${each.key}"
}

output "zones" {
  value = [for zone in module.zone : zone.tier]
}
