variable "kind" {
  type = string
}

variable "env" {
  type = string
}

module "inner" {
  source = "./${var.kind}"
  leaf   = var.env == "prod" ? "x" : "y"
}
