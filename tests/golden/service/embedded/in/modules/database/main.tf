variable "engine_version" {
  type = string
}

variable "prod" {
  type = bool
}

resource "aws_db_subnet_group" "app" {
  name       = "app"
  subnet_ids = ["a", "b"]
}

resource "aws_db_parameter_group" "app" {
  name   = "app"
  family = "postgres16"
}

resource "aws_db_instance" "app" {
  identifier                  = "app"
  engine                      = "postgres"
  engine_version              = var.engine_version
  instance_class              = "db.m6g.large"
  allocated_storage           = 100
  multi_az                    = var.prod
  db_subnet_group_name        = aws_db_subnet_group.app.name
  parameter_group_name        = aws_db_parameter_group.app.name
  manage_master_user_password = true
  skip_final_snapshot         = true
}

output "url" {
  value = "postgres://${aws_db_instance.app.endpoint}/${aws_db_instance.app.db_name}"
}
