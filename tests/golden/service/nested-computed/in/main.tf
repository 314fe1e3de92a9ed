variable "env" {
  type = string
}

resource "aws_db_instance" "app" {
  engine            = "postgres"
  engine_version    = var.env == "prod" ? "16.2" : "15.4"
  instance_class    = var.env == "prod" ? "db.r5.large" : "db.t3.small"
  allocated_storage = 20
}

output "address" {
  value = aws_db_instance.app.address
}
