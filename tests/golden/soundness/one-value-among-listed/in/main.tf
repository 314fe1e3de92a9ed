variable "v1" {
}
module "c" {
  source = "./m"
  p      = contains(["15.4"], var.v1)
}
