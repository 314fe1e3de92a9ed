resource "aws_db_instance" "app" {
  engine         = "postgres"
  engine_version = "15.4"
  depends_on     = [terraform_data.before]
}

resource "terraform_data" "before" {}

removed {
  from = aws_db_instance.old

  lifecycle {
    destroy = false
  }
}
