variable "size" {
  type = string
}

module "db" {
  source = "../stack/db-db-tiny"
  size   = "db-${var.size}"
}
