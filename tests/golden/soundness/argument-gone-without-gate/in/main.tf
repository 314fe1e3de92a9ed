variable "v1" {
  type = string
}

module "outer" {
  source = "./mods/m1"
  p3     = var.v1
}
