resource "aws_db_instance" "app" {
  engine         = "mysql"
  engine_version = "8.0"
}

resource "aws_db_instance" "none" {
  engine_version = "15.4"
}
