variable "env" {
  type    = string
  default = "dev"
}
locals {
  specific = {
    dev  = { size = "s" }
    prod = { size = "l" }
  }
  chosen = local.specific[var.env]
}
module "c" {
  source   = "./m"
  for_each = lookup(local.chosen, "certs", {})
  alarms   = { for k, v in each.value.alarms : k => v }
}
