variable "size" {
  type = number
}

module "app" {
  source = "./m-split"
  size   = var.size
  label  = var.size
}
