variable "none" {
  type     = bool
  nullable = false
}

variable "zones" {
  type    = string
  default = null
}

module "network" {
  source = "./m"

  # A tuple beside the error of a text that is null, a list otherwise; the variable makes a list of either.
  zones = var.none ? [] : split(",", var.zones)[0] == "a" ? ["a", "b"] : ["b"]
}

output "zones" {
  value = module.network.zones
}
