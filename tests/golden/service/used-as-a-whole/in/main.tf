resource "aws_db_instance" "app" {
  count          = 2
  engine         = "postgres"
  engine_version = "15.4"
}

output "hosts" {
  value = [for db in aws_db_instance.app : jsonencode(db)]
}

output "whole" {
  value = aws_db_instance.app
}

output "single" {
  value = { for name, value in aws_db_instance.app[0] : name => value.address }
}
