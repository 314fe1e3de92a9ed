variable "size" {
  type = number
}

module "app" {
  source = "./m"
  size   = var.size
  label  = var.size
}
