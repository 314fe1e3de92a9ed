variable "prod" {
  type = bool
}

resource "aws_db_instance" "app" {
  engine         = "postgres"
  engine_version = var.prod ? "15.4" : "13.1"
}
