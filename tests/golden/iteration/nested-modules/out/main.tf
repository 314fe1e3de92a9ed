variable "prod" {
  type     = bool
  nullable = false
}

# phi: input (terraform_data.tier) — gate: Existing(var.prod) — trace: region/zone/main.tf:9-12 — compiler: tf-phi golden
module "region_gold" {
  source   = "./region-gold"
  for_each = { for each_key, each_value in { eu = 2, us = 1 } : each_key => each_value if var.prod }
  zones    = each.value
}

# phi: input (terraform_data.tier) — gate: Not(Existing(var.prod)) — trace: region/zone/main.tf:9-12 — compiler: tf-phi golden
module "region_iron" {
  source   = "./region-iron"
  for_each = { for each_key, each_value in { eu = 2, us = 1 } : each_key => each_value if !(var.prod) }
  zones    = each.value
}

output "zones" {
  value = { for name, region in merge(module.region_gold, module.region_iron) : name => region.zones }
}
