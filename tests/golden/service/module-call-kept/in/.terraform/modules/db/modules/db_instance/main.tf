variable "engine" {
  type = string
}

variable "engine_version" {
  type    = string
  default = null
}

variable "identifier" {
  type = string
}

resource "aws_db_instance" "this" {
  engine         = var.engine
  engine_version = var.engine_version
  identifier     = var.identifier
  instance_class = "db.t3.micro"
}

output "address" {
  value = aws_db_instance.this.address
}
