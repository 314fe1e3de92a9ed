variable "engine" {
  type = string
}

variable "version_of" {
  type = string
}

resource "aws_db_instance" "app" {
  engine         = var.engine
  engine_version = var.version_of
}

resource "terraform_data" "readme" {
  input = "${path.module}/README.md"
}

output "host" {
  value = aws_db_instance.app.address
}
