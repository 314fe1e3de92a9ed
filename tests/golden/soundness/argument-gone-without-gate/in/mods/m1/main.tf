variable "p3" {
  type = string
}

module "inner" {
  source = "../m2"
  p4     = var.p3
}
