terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

provider "aws" {
  region = "eu-central-1"
}

# phi: aws_db_instance.app — service: pg — form factor: on-prem
module "app" {
  source         = "./services/pg"
  engine_version = "15.4"
}

data "aws_region" "here" {}
