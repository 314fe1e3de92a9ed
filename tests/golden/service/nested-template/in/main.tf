variable "env" {
  type = string
}

resource "aws_db_instance" "app" {
  engine            = "postgres"
  engine_version    = var.env == "prod" ? "16.2" : "15.4"
  allocated_storage = 20
}

output "address" {
  value = aws_db_instance.app.address
}
