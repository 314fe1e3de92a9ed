variable "name" {
  type = string
}

variable "release" {
  type = string
}

variable "class" {
  type = string
}

variable "storage" {
  type = number
}

variable "standby" {
  type    = bool
  default = false
}

variable "vpc_id" {
  type = string
}

variable "subnet_ids" {
  type = list(string)
}

resource "aws_db_subnet_group" "this" {
  name       = var.name
  subnet_ids = var.subnet_ids
}

resource "aws_security_group" "database" {
  name   = "${var.name}-database"
  vpc_id = var.vpc_id
}

resource "aws_db_parameter_group" "this" {
  name   = var.name
  family = "postgres${split(".", var.release)[0]}"

  parameter {
    name  = "log_min_duration_statement"
    value = "500"
  }
}

resource "aws_db_instance" "this" {
  identifier        = var.name
  engine            = "postgres"
  engine_version    = var.release
  instance_class    = var.class
  allocated_storage = var.storage
  storage_encrypted = true
  multi_az          = var.standby
  db_name           = "app"
  username          = "app"

  manage_master_user_password = true
  db_subnet_group_name        = aws_db_subnet_group.this.name
  parameter_group_name        = aws_db_parameter_group.this.name
  vpc_security_group_ids      = [aws_security_group.database.id]
  backup_retention_period     = 7
  final_snapshot_identifier   = "${var.name}-last"
}

output "address" {
  value = aws_db_instance.this.address
}

output "username" {
  value = aws_db_instance.this.username
}

output "secret" {
  value = aws_db_instance.this.master_user_secret[0].secret_arn
}
