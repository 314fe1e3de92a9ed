terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
  }
}

provider "aws" {
  region = "eu-central-1"
}

variable "customer_env" {
  type = string
}

module "database" {
  source = "./modules/database"

  engine_version = var.customer_env == "prod" ? "16.2" : "15.4"
  prod           = var.customer_env == "prod"
}

resource "aws_db_instance" "direct" {
  identifier                  = "direct"
  engine                      = "postgres"
  instance_class              = "db.t3.micro"
  allocated_storage           = 20
  kms_key_id                  = "x"
  manage_master_user_password = true
  skip_final_snapshot         = true
}

output "url" {
  value = module.database.url
}

output "direct" {
  value = aws_db_instance.direct.master_user_secret[0].secret_arn
}

# Something else needs it, so it stays.
resource "aws_db_subnet_group" "shared" {
  name       = "shared"
  subnet_ids = ["a", "b"]
}

resource "aws_db_instance" "other" {
  engine               = "mysql"
  db_subnet_group_name = aws_db_subnet_group.shared.name
}
