variable "engine_version" {
  type = string
}

variable "instance_class" {
  type = string
}

resource "aws_db_instance" "app" {
  identifier        = "app"
  engine            = "postgres"
  engine_version    = var.engine_version
  instance_class    = var.instance_class
  allocated_storage = 100

  username                    = "app"
  manage_master_user_password = true
  skip_final_snapshot         = true
}

output "address" {
  value = aws_db_instance.app.address
}
