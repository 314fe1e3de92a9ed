variable "number" {
  type = number
}

resource "aws_number" "by" {
  number = var.number
}
