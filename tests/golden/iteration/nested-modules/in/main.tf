variable "prod" {
  type     = bool
  nullable = false
}

module "region" {
  source   = "./region"
  for_each = { eu = 2, us = 1 }
  zones    = each.value
  tier     = var.prod ? "gold" : "iron"
}

output "zones" {
  value = { for name, region in module.region : name => region.zones }
}
