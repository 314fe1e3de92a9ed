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

resource "aws_db_instance" "app" {
  engine         = "postgres"
  engine_version = "15.4"
}

data "aws_region" "here" {}
