module "orders" {
  source  = "./modules/db"
  engine  = "postgres"
  version_of = var.prod ? "15.4" : "14.9"
}

module "legacy" {
  source  = "./modules/db"
  engine  = "mysql"
  version_of = "8.0"
}

module "deep" {
  source = "./modules/deep"
}

variable "prod" {
  type = bool
}

output "hosts" {
  value = [module.orders.host, module.legacy.host, module.deep.host]
}
