resource "aws_db_instance" "app" {
  engine = "postgres"
}

resource "aws_s3_bucket" "app" {
  bucket = "app"
}
