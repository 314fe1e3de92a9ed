variable "env" { type = string }
module "db" {
  source  = "./modules/db"
  release = var.env == "prod" ? "15.4" : "14.9"
}
resource "terraform_data" "vm" { input = var.env == "prod" ? "large" : "small" }
output "all" { value = module.db.all }
