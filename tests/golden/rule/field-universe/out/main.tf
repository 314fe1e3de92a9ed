variable "engine_version" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["14.9", "15.4"], var.engine_version), false)
    error_message = "engine_version must be one of \"14.9\", \"15.4\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.app) — gate: Eq(var.engine_version, "14.9") — trace: database/main.tf:5-7 — compiler: tf-phi golden
module "database_v14_9" {
  count  = var.engine_version == "14.9" ? 1 : 0
  source = "./database-v14-9"
}

# phi: input (terraform_data.app) — gate: Eq(var.engine_version, "15.4") — trace: database/main.tf:5-7 — compiler: tf-phi golden
module "database_v15_4" {
  count  = var.engine_version == "15.4" ? 1 : 0
  source = "./database-v15-4"
}
