resource "aws_db_instance" "app" {
  engine         = "postgres"
  engine_version = "15.4"
}
