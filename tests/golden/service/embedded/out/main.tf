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

# phi: engine_version (module.app) — gate: Existing(var.customer_env == "prod") — trace: modules/database/main.tf:19-30 — compiler: tf-phi golden
module "database_v16_2" {
  count  = var.customer_env == "prod" ? 1 : 0
  source = "./modules/database-on-prem-v16-2"

  prod = var.customer_env == "prod"

  cloudnative_pg_operator = module.cloudnative_pg_operator.ready
}

# phi: engine_version (module.app) — gate: Not(Existing(var.customer_env == "prod")) — trace: modules/database/main.tf:19-30 — compiler: tf-phi golden
module "database_v15_4" {
  count  = var.customer_env == "prod" ? 0 : 1
  source = "./modules/database-on-prem-v15-4"

  prod = var.customer_env == "prod"

  cloudnative_pg_operator = module.cloudnative_pg_operator.ready
}

# phi: aws_db_instance.direct — service: cloudnative-pg — form factor: on-prem
module "direct" {
  source            = "./.phi/services/cloudnative-pg/aws_db_instance"
  mirror            = "registry.example"
  namespace         = "databases"
  storage_class     = "fast"
  operator          = module.cloudnative_pg_operator.ready
  identifier        = "direct"
  instance_class    = "db.t3.micro"
  allocated_storage = 20
}

output "url" {
  value = one(concat(module.database_v16_2[*].url, module.database_v15_4[*].url))
}

output "direct" {
  value = module.direct.master_user_secret[0].secret_arn
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
