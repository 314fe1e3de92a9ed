terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

provider "aws" {
  region = "eu-central-1"
}

variable "customer_env" {
  type        = string
  description = "Which environment this is: prod, or anything else."
}

variable "engine_version" {
  type        = string
  description = "The version of PostgreSQL outside of prod."
}

# The database of the application.
module "database" {
  source = "./modules/database"

  engine_version = var.customer_env == "prod" ? "16.2" : var.engine_version
  storage        = 100
}

# The cache, which only prod has.
resource "aws_elasticache_replication_group" "cache" {
  count = var.customer_env == "prod" ? 1 : 0

  replication_group_id = "app"
  description          = "Sessions of the application"
  engine_version       = "7.1"
  node_type            = "cache.t4g.small"
}

output "database" {
  value = module.database.url
}

output "cache" {
  value = one(aws_elasticache_replication_group.cache[*].primary_endpoint_address)
}
