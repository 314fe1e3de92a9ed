variable "env" {
  type = string
}

variable "new" {
  type = bool
}

# Another engine in production.
resource "aws_db_instance" "app" {
  identifier        = "app"
  engine            = var.env == "prod" ? "postgres" : "mysql"
  engine_version    = var.env == "prod" ? (var.new ? "15.4" : "14.9") : "8.0"
  allocated_storage = 20
}

module "reports" {
  source = "./modules/db"

  engine = var.env == "prod" ? "mysql" : "postgres"
}

output "address" {
  value = "${aws_db_instance.app.address}:${aws_db_instance.app.port}"
}

output "reports" {
  value = module.reports.addresses
}
