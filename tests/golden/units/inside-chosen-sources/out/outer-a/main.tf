variable "env" {
  type = string
}

module "inner" {
  source = "../outer/a-split"
  leaf   = var.env == "prod" ? "x" : "y"
}
