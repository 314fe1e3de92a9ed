variable "env" {
  type = string
}

variable "storage_type" {
  type    = string
  default = "gp3"
}

locals {
  version = "16.2"
}

resource "aws_db_instance" "app" {
  engine            = "postgres"
  engine_version    = local.version
  instance_class    = var.env == "prod" ? "db.r5.large" : "db.t3.small"
  storage_type      = var.storage_type
  allocated_storage = 20
}

# Here nothing has two values.
resource "aws_db_instance" "other" {
  engine            = "postgres"
  engine_version    = "15.4"
  instance_class    = "db.t3.small"
  storage_type      = "gp2"
  allocated_storage = 20
}

output "address" {
  value = [aws_db_instance.app.address, aws_db_instance.other.address]
}
