variable "env" {
  type = string
}

module "inner" {
  source = "../outer/b-split"
  leaf   = var.env == "prod" ? "x" : "y"
}
