variable "leaf" {
  type = string
}

module "leaf" {
  source = "../../leaf-${var.leaf}"
  name   = upper(var.leaf)
}
