variable "env" {
  type = string
}

module "db" {
  source = var.env == "prod" ? "./a" : "./b"
}
