variable "password" {
  type      = string
  sensitive = true
}

resource "aws_db_instance" "app" {
  identifier                          = "app"
  engine                              = "postgres"
  engine_version                      = "13.4"
  instance_class                      = "db.t3.micro"
  allocated_storage                   = 20
  password                            = var.password
  iam_database_authentication_enabled = false
}

resource "aws_rds_cluster" "app" {
  cluster_identifier  = "app"
  engine              = "aurora-postgresql"
  snapshot_identifier = "last"
}

output "arn" {
  value = aws_db_instance.app.arn
}
