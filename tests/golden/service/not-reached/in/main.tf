terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "aws_db_instance" "app" {
  identifier           = "app"
  engine               = "postgres"
  engine_version       = "16"
  instance_class       = "db.t3.micro"
  allocated_storage    = 20
  monitoring_role_arn  = aws_iam_role.monitoring.arn
  db_subnet_group_name = data.aws_db_subnet_group.shared.name
}

resource "aws_iam_role" "monitoring" {
  name               = "monitoring"
  assume_role_policy = data.aws_iam_policy_document.monitoring.json
}

data "aws_iam_policy_document" "monitoring" {
  statement {
    actions = ["sts:AssumeRole"]
  }
}

data "aws_db_subnet_group" "shared" {
  name = "shared"
}

resource "random_id" "own" {
  byte_length = 4
}
