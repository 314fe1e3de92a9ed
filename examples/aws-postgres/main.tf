terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "customer_env" {
  type        = string
  description = "Which environment this is: prod, or anything else."
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "instance_class" {
  type    = string
  default = "db.t3.medium"
}

# Keys that open nothing, and no questions to AWS: so the example plans without an account and without a network.
provider "aws" {
  region                      = var.region
  access_key                  = "dummy"
  secret_key                  = "dummy"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}

locals {
  instance_class = lower(var.instance_class)
}

# The database of the application.
module "database" {
  source = "./modules/postgres"

  engine_version = var.customer_env == "prod" ? "15.4" : "14.9"
  instance_class = local.instance_class
}

# Where the application looks the database up.
resource "aws_ssm_parameter" "database" {
  name  = "/app/${var.customer_env}/database"
  type  = "String"
  value = module.database.address
}

output "database_address" {
  value = module.database.address
}
