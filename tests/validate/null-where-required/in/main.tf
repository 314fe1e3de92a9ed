variable "name" {
  type = string
}

module "m" {
  source = "./m"
  name   = var.name
}
