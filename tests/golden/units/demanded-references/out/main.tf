# Where Terraform demands a reference, a copy has one: what is decided and true is gone, what isn't names a local, or stays a variable.
variable "size" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["small", "huge"], var.size), false)
    error_message = "size must be one of \"small\", \"huge\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.app) — gate: Eq(var.size, "small") — trace: m/main.tf:10-24 — compiler: tf-phi golden
module "app_small" {
  count  = var.size == "small" ? 1 : 0
  source = "./m-small"
}

# phi: input (terraform_data.app) — gate: Eq(var.size, "huge") — trace: m/main.tf:10-24 — compiler: tf-phi golden
module "app_huge" {
  count  = var.size == "huge" ? 1 : 0
  source = "./m-huge"
}

output "all" {
  value = templatestring(local.all, { x = 1 })
}

locals {
  all = one(concat(module.app_small[*].all, module.app_huge[*].all))
}
