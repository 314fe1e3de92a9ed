variable "zones" {
  type = set(string)
}

variable "env" {
  type = string
}

# No zones, no instance: then nobody reads the version of nothing.
module "db" {
  source = "./m"
  zones  = var.zones
  config = null
  env    = var.env
}
