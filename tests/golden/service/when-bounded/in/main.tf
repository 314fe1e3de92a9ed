variable "env" {
  type = string
}

# A database that some environments alone replace.
resource "aws_db_instance" "app" {
  engine            = var.env == "prod" ? "postgres" : "mysql"
  allocated_storage = 20
}

# Each value of its engine is the wanted one.
resource "aws_db_instance" "always" {
  engine            = var.env == "prod" ? "postgres" : "post${"gres"}"
  allocated_storage = 20
}
