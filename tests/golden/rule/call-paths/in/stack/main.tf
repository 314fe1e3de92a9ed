variable "size" {
  type = string
}

module "db" {
  source = "./db"
  size   = "db-${var.size}"
}
