terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
    random = {
      source = "hashicorp/random"
    }
  }
}

# Where the vendor runs it.
provider "aws" {
  region = "eu-central-1"
}

provider "aws" {
  alias  = "west"
  region = "eu-west-1"
}

resource "aws_db_instance" "app" {
  provider       = aws.west
  engine         = "postgres"
  engine_version = "15.4"
}
