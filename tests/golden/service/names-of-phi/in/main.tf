resource "aws_db_instance" "app" {
  engine_version = "15.4"
}
