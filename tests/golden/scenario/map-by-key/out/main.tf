variable "env" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["dev", "prod", "test"], var.env), false)
    error_message = "env must be one of \"dev\", \"prod\", \"test\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

locals {
  versions = {
    prod = "15.4"
    dev  = "16.2"
    test = "16.2"
  }
}

# phi: input.version (terraform_data.db) — gate: Or(Eq(var.env, "dev"), Eq(var.env, "test")) — trace: db/main.tf:5-7 — compiler: tf-phi golden
module "db_v16_2" {
  count  = contains(["dev", "test"], var.env) ? 1 : 0
  source = "./db-v16-2"
}

# phi: input.version (terraform_data.db) — gate: Eq(var.env, "prod") — trace: db/main.tf:5-7 — compiler: tf-phi golden
module "db_v15_4" {
  count  = var.env == "prod" ? 1 : 0
  source = "./db-v15-4"
}
