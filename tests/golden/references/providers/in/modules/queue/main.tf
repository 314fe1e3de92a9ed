terraform {
  required_providers {
    aws = {
      source                = "hashicorp/aws"
      configuration_aliases = [aws.replica]
    }
  }
}

variable "name" {
  type = string
}

resource "aws_sqs_queue" "replica" {
  provider = aws.replica
  name     = "${var.name}-replica"
}

output "arn" {
  value = aws_sqs_queue.replica.arn
}
