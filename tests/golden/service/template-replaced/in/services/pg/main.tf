variable "engine" {
  type = string
}

resource "terraform_data" "database" {
  input = var.engine
}

# Backups: the other service of the form factor replaces this type.
resource "aws_s3_bucket" "backups" {
  bucket = "backups"
}
