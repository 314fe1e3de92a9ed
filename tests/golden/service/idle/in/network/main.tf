variable "name" {
  type = string
}

resource "aws_vpc" "this" {
  tags = { Name = var.name }
}

resource "aws_subnet" "this" {
  count  = 2
  vpc_id = aws_vpc.this.id
}

output "vpc_id" {
  value = aws_vpc.this.id
}

output "subnet_ids" {
  value = aws_subnet.this[*].id
}

output "arn" {
  description = "Which nothing uses."
  value       = aws_vpc.this.arn
}
