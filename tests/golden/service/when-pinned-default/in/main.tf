variable "engine" {
  type    = string
  default = "postgres"
}

resource "aws_db_instance" "app" {
  engine         = var.engine
  engine_version = "15.4"
}
