variable "zones" {
  type = list(string)
}

# Where there are no subnets is said in the module, what zones they have in the root.
module "net" {
  source = "./modules/net"
  zones  = var.zones
}
