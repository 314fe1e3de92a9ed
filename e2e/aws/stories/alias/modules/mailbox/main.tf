terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

variable "name" {
  type = string
}

resource "aws_s3_bucket" "attachments" {
  bucket = var.name
}

resource "aws_sqs_queue" "letters" {
  name = var.name
}

output "queue" {
  value = aws_sqs_queue.letters.arn
}
