variable "size" {
  type = number
}

variable "ids" {
  type = list(string)
}

module "m" {
  source = "./m"
  ids    = var.ids
}
