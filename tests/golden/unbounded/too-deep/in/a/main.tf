variable "engine" {
  type = string
}

module "b" {
  source = "./b"
  engine = var.engine
}
