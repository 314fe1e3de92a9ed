variable "customer_env" {
  type = string
}

locals {
  version = var.customer_env == "prod" ? "15.4" : "14.9"
}

# The database of the application.
resource "aws_db_instance" "app" {
  identifier          = "app"
  engine              = "postgres" # the one we know
  engine_version      = local.version
  instance_class      = "db.t3.medium"
  skip_final_snapshot = true

  # as much as it had
  allocated_storage = 100

  tags = {
    env = var.customer_env
  }

  lifecycle {
    prevent_destroy = true
  }
}

resource "terraform_data" "app" {
  input = "postgres://${aws_db_instance.app.address}:${aws_db_instance.app.port}/app"

  depends_on = [aws_db_instance.app]
}

output "address" {
  value = aws_db_instance.app.address
}
