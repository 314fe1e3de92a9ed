variable "disk" {
  type = number
}

variable "backup" {
  type = number

  validation {
    condition     = contains([5, 30], var.backup)
    error_message = "5 or 30."
  }
}

resource "aws_db_instance" "app" {
  engine            = "postgres"
  allocated_storage = var.disk
}

resource "aws_db_instance" "backup" {
  engine            = "postgres"
  allocated_storage = var.backup
}
