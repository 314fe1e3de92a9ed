terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

variable "region" {
  type = string

  validation {
    condition     = contains(["eu", "us"], var.region)
    error_message = "One of eu, us."
  }
}

provider "aws" {
  region = "eu-central-1"
}

provider "aws" {
  alias  = "us"
  region = "us-east-1"
}

resource "aws_sqs_queue" "app" {
  provider = var.region == "us" ? aws.us : aws
  name     = "app"
}

data "aws_region" "here" {
  provider = { us = aws.us, eu = aws }[var.region]
}

output "queue" {
  value = "${aws_sqs_queue.app.arn} ${data.aws_region.here.name}"
}
