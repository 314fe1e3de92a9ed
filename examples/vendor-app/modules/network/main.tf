variable "name" {
  type = string
}

variable "region" {
  type = string
}

resource "aws_vpc" "this" {
  cidr_block           = "10.0.0.0/16"
  enable_dns_hostnames = true
  tags                 = { Name = var.name }
}

resource "aws_subnet" "private" {
  for_each = { a = 0, b = 1 }

  vpc_id            = aws_vpc.this.id
  availability_zone = "${var.region}${each.key}"
  cidr_block        = cidrsubnet(aws_vpc.this.cidr_block, 8, each.value)
  tags              = { Name = "${var.name}-${each.key}" }
}

resource "aws_security_group" "containers" {
  name   = "${var.name}-containers"
  vpc_id = aws_vpc.this.id
}

output "vpc_id" {
  value = aws_vpc.this.id
}

output "subnet_ids" {
  value = [for subnet in aws_subnet.private : subnet.id]
}

output "security_group" {
  value = aws_security_group.containers.id
}
