variable "customer_env" {
  type        = string
  description = "Which environment this is: prod, or anything else."
}

variable "instance_class" {
  type    = string
  default = "db.t3.medium"
}

locals {
  instance_class = lower(var.instance_class)
}

# The database of the application.
module "database" {
  source = "./modules/postgres"

  engine_version = var.customer_env == "prod" ? "15.4" : "14.9"
  instance_class = local.instance_class
}

resource "terraform_data" "app" {
  input = {
    database = module.database.address
  }

  depends_on = [module.database]
}

output "database_address" {
  value = module.database.address
}
