variable "pg_version" {
  type = string
}

variable "region" {
  type    = string
  default = "eu"
}

locals {
  pg = { version = var.pg_version }
}

resource "aws_db_instance" "app" {
  engine         = "postgres"
  engine_version = local.pg.version
}

output "port" {
  value = aws_db_instance.app.port
}
