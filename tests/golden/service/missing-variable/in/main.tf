resource "aws_db_instance" "app" {
  engine = "postgres"
}
