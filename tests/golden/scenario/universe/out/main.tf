variable "instance_size" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["small", "medium", "large"], var.instance_size), false)
    error_message = "instance_size must be one of \"small\", \"medium\", \"large\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.db) — gate: Eq(var.instance_size, "small") — trace: db/main.tf:2 — compiler: tf-phi golden
module "db_small" {
  count  = var.instance_size == "small" ? 1 : 0
  source = "./db-small"
}

# phi: input (terraform_data.db) — gate: Eq(var.instance_size, "medium") — trace: db/main.tf:2 — compiler: tf-phi golden
module "db_medium" {
  count  = var.instance_size == "medium" ? 1 : 0
  source = "./db-medium"
}

# phi: input (terraform_data.db) — gate: Eq(var.instance_size, "large") — trace: db/main.tf:2 — compiler: tf-phi golden
module "db_large" {
  count  = var.instance_size == "large" ? 1 : 0
  source = "./db-large"
}

output "db" { value = one(concat(module.db_small[*].size, module.db_medium[*].size, module.db_large[*].size)) }
