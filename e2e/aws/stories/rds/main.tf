variable "stage" {
  type = string

  validation {
    condition     = contains(["test", "preview", "live"], var.stage)
    error_message = "stage is test, preview or live."
  }
}

locals {
  # What each stage runs on.
  database = {
    test    = { version = "16.4", class = "db.t4g.small" }
    preview = { version = "15.8", class = "db.t4g.small" }
    live    = { version = "15.8", class = "db.r6g.large" }
  }
  major = split(".", local.database[var.stage].version)[0]
}

module "ledger" {
  source = "./modules/rds"

  identifier = "ledger-${var.stage}"

  engine               = "postgres"
  engine_version       = local.database[var.stage].version
  family               = "postgres${local.major}"
  major_engine_version = local.major
  instance_class       = local.database[var.stage].class
  allocated_storage    = var.stage == "live" ? 500 : 50

  db_name  = "ledger"
  username = "ledger"
  port     = 5432
  multi_az = var.stage == "live"

  create_db_subnet_group = true
  subnet_ids             = ["subnet-0aaaaaaa", "subnet-0bbbbbbb"]
  deletion_protection    = var.stage == "live"
  skip_final_snapshot    = true

  tags = { Stage = var.stage }
}

output "endpoint" {
  value = module.ledger.db_instance_endpoint
}

output "arn" {
  value = module.ledger.db_instance_arn
}
