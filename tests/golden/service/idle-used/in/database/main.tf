variable "vpc_id" {
  type = string
}

variable "subnet_ids" {
  type = list(string)

  validation {
    condition     = length(var.subnet_ids) > 0
    error_message = "There has to be a subnet."
  }
}

variable "group" {
  type = string
}

resource "aws_db_instance" "this" {
  identifier             = "app"
  engine_version         = "15.4"
  db_subnet_group_name   = "${var.vpc_id}-${var.subnet_ids[0]}"
  vpc_security_group_ids = [var.group]
}

output "address" {
  value = aws_db_instance.this.address
}
