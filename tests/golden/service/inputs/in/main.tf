resource "aws_db_instance" "app" {
  engine = "postgres"
  size   = 20
  tags   = { a = "b" }
}

resource "aws_db_instance" "short" { engine = "postgres" }
