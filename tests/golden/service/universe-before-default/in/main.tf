variable "pg_version" {
  type    = string
  default = "15.4"
}

resource "aws_db_instance" "app" {
  engine         = "postgres"
  engine_version = var.pg_version
}
