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

# phi: provider (aws_sqs_queue.app) — gate: Existing(var.region == "us") — trace: main.tf:27-30 — compiler: tf-phi golden
resource "aws_sqs_queue" "app_aws_us" {
  count    = var.region == "us" ? 1 : 0
  provider = aws.us
  name     = "app"
}

# phi: provider (aws_sqs_queue.app) — gate: Not(Existing(var.region == "us")) — trace: main.tf:27-30 — compiler: tf-phi golden
resource "aws_sqs_queue" "app_aws" {
  count    = var.region == "us" ? 0 : 1
  provider = aws
  name     = "app"
}

# phi: provider (data.aws_region.here) — gate: Eq(var.region, "eu") — trace: main.tf:32-34 — compiler: tf-phi golden
data "aws_region" "here_aws" {
  count    = var.region == "eu" ? 1 : 0
  provider = aws
}

# phi: provider (data.aws_region.here) — gate: Eq(var.region, "us") — trace: main.tf:32-34 — compiler: tf-phi golden
data "aws_region" "here_aws_us" {
  count    = var.region == "us" ? 1 : 0
  provider = aws.us
}

output "queue" {
  value = "${one(concat(aws_sqs_queue.app_aws_us[*].arn, aws_sqs_queue.app_aws[*].arn))} ${one(concat(data.aws_region.here_aws[*].name, data.aws_region.here_aws_us[*].name))}"
}
