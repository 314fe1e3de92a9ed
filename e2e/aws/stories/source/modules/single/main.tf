variable "name" {
  type = string
}

variable "engine_version" {
  type = string
}

variable "class" {
  type = string
}

resource "aws_db_instance" "one" {
  identifier                  = var.name
  engine                      = "postgres"
  engine_version              = var.engine_version
  instance_class              = var.class
  allocated_storage           = 50
  username                    = "ledger"
  manage_master_user_password = true
  skip_final_snapshot         = true
}

output "host" {
  value = aws_db_instance.one.address
}
