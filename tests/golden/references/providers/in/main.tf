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

module "queue" {
  source = "./modules/queue"
  name   = "app"
  providers = {
    aws         = aws
    aws.replica = var.region == "us" ? aws.us : aws
  }
}

output "queue" {
  value = module.queue.arn
}
