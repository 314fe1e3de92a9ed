resource "aws_vpc" "this" {}

resource "aws_subnet" "this" {
  vpc_id = aws_vpc.this.id
}

resource "aws_security_group" "this" {
  vpc_id = aws_vpc.this.id
}

output "vpc_id" {
  value = aws_vpc.this.id
}

output "subnet_ids" {
  value = [aws_subnet.this.id]
}

output "group" {
  value = aws_security_group.this.id

  precondition {
    condition     = aws_vpc.this.id != ""
    error_message = "There has to be a network."
  }
}
