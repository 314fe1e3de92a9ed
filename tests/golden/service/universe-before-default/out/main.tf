variable "pg_version" {
  type    = string
  default = "15.4"

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["14.9", "15.4"], var.pg_version), false)
    error_message = "pg_version must be one of \"14.9\", \"15.4\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: aws_db_instance.app — service: pg — form factor: on-prem
# phi: engine_version (module.app) — gate: Eq(var.pg_version, "14.9") — trace: main.tf:6-9 — compiler: tf-phi golden
module "app_v14_9" {
  count  = var.pg_version == "14.9" ? 1 : 0
  source = "./services/pg-v14-9"
}

# phi: engine_version (module.app) — gate: Eq(var.pg_version, "15.4") — trace: main.tf:6-9 — compiler: tf-phi golden
module "app_v15_4" {
  count  = var.pg_version == "15.4" ? 1 : 0
  source = "./services/pg-v15-4"
}
