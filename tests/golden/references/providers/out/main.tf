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

# phi: providers (module.queue) — gate: Existing(var.region == "us") — trace: main.tf:27-34 — compiler: tf-phi golden
module "queue_aws_aws_replica_aws_us" {
  count  = var.region == "us" ? 1 : 0
  source = "./modules/queue"
  name   = "app"
  providers = {
    aws         = aws
    aws.replica = aws.us
  }
}

# phi: providers (module.queue) — gate: Not(Existing(var.region == "us")) — trace: main.tf:27-34 — compiler: tf-phi golden
module "queue_aws_aws_replica_aws" {
  count  = var.region == "us" ? 0 : 1
  source = "./modules/queue"
  name   = "app"
  providers = {
    aws         = aws
    aws.replica = aws
  }
}

output "queue" {
  value = one(concat(module.queue_aws_aws_replica_aws_us[*].arn, module.queue_aws_aws_replica_aws[*].arn))
}
