variable "engine_version" {
  type = string
}

variable "storage" {
  type = number
}

resource "aws_db_instance" "app" {
  identifier        = "app"
  engine            = "postgres"
  engine_version    = var.engine_version
  instance_class    = "db.t4g.medium"
  allocated_storage = var.storage

  skip_final_snapshot = true
}

output "url" {
  value = "postgres://${aws_db_instance.app.address}:${aws_db_instance.app.port}/app"
}
