variable "env" {
  type = string
}

variable "storage_type" {
  type    = string
  default = "gp3"

  # phi: the values that are specialised
  validation {
    condition     = var.storage_type == "gp3"
    error_message = "storage_type must be \"gp3\": only the default is specialised. List other values in phi.hcl."
  }
}

locals {
  version = "16.2"
}

# phi: aws_db_instance.app — service: pg — form factor: on-prem
# phi: instance_class (module.app) — gate: Existing(var.env == "prod") — trace: main.tf:14-20 — compiler: tf-phi golden
module "app_db_r5_large" {
  count             = var.env == "prod" ? 1 : 0
  source            = "./services/pg-db-r5-large"
  allocated_storage = 20
}

# phi: instance_class (module.app) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:14-20 — compiler: tf-phi golden
module "app_db_t3_small" {
  count             = var.env == "prod" ? 0 : 1
  source            = "./services/pg-db-t3-small"
  allocated_storage = 20
}

# Here nothing has two values.
# phi: aws_db_instance.other — service: pg — form factor: on-prem
module "other" {
  source            = "./services/pg"
  engine_version    = "15.4"
  instance_class    = "db.t3.small"
  storage_type      = "gp2"
  allocated_storage = 20
}

output "address" {
  value = [one(concat(module.app_db_r5_large[*].host, module.app_db_t3_small[*].host)), module.other.host]
}
