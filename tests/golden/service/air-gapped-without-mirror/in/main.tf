resource "aws_db_instance" "app" {
  identifier        = "app"
  engine            = "postgres"
  engine_version    = "16"
  instance_class    = "db.t3.micro"
  allocated_storage = 20
}
