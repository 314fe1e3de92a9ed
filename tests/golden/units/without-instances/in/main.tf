variable "env" {
  type = string
}

module "database" {
  source = "./modules/database"

  engine_version = var.env == "prod" ? "16" : "15"
  name           = "app"
}

output "all" {
  value = module.database.all
}
