variable "env" {
  type = string
  validation {
    condition     = contains(["dev", "prod", "none"], var.env)
    error_message = "Not valid."
  }

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["dev", "prod"], var.env), false)
    error_message = "env must be one of \"dev\", \"prod\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.r) — gate: Eq(var.env, "dev") — trace: m/main.tf:10-12 — compiler: tf-phi golden
module "c_v1" {
  count  = var.env == "dev" ? 1 : 0
  source = "./m-v1"
}

# phi: input (terraform_data.r) — gate: Eq(var.env, "prod") — trace: m/main.tf:10-12 — compiler: tf-phi golden
module "c_v2" {
  count  = var.env == "prod" ? 1 : 0
  source = "./m-v2"
}
