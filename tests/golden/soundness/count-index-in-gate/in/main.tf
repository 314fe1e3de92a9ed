variable "v2" {
  type = bool
}

variable "v3" {
  type = bool
}

module "c12" {
  source = "./mods/m1"
  p6 = (var.v3 && var.v2) ? "a" : "b"
}
