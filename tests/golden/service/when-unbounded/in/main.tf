variable "engine" {
  type = string
}

resource "aws_db_instance" "app" {
  engine         = var.engine
  engine_version = "15.4"
}
