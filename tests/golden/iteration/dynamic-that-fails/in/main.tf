variable "env" {
  type = string
}

module "m" {
  source = "./m"
  on     = var.env == "a"
  v      = var.env == "a" ? "16" : "15"
}

module "n" {
  source = "./n"
  on     = var.env == "a"
  v      = var.env == "a" ? "16" : "15"
}
