variable "env" {
  type = string
}

module "db" {
  source = "./modules/db"

  name   = "orders"
  engine = var.env == "prod" ? "15.4" : var.env == "stage" ? "16.2" : "17.1"
}

output "address" {
  value = module.db.address
}
