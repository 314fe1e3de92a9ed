variable "env" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["prod", "test"], var.env), false)
    error_message = "env must be one of \"prod\", \"test\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

locals {
  versions = {
    prod = "15.4"
    test = "16.2"
  }
}

# phi: input (terraform_data.index) — gate: Eq(var.env, "prod") — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "index_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.index) — gate: Eq(var.env, "test") — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "index_v16_2" {
  count = var.env == "test" ? 1 : 0
  input = "16.2"
}

# phi: input (terraform_data.lookup) — gate: Eq(var.env, "prod") — trace: main.tf:16-18 — compiler: tf-phi golden
resource "terraform_data" "lookup_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.lookup) — gate: Eq(var.env, "test") — trace: main.tf:16-18 — compiler: tf-phi golden
resource "terraform_data" "lookup_v16_2" {
  count = var.env == "test" ? 1 : 0
  input = "16.2"
}

# phi: input (terraform_data.lookup) — gate: And(Not(Eq(var.env, "prod")), Not(Eq(var.env, "test"))) — trace: main.tf:16-18 — compiler: tf-phi golden
resource "terraform_data" "lookup_v14_9" {
  count = var.env != "prod" && var.env != "test" ? 1 : 0
  input = "14.9"
}

# phi: input (terraform_data.try) — gate: Eq(var.env, "prod") — trace: main.tf:20-22 — compiler: tf-phi golden
resource "terraform_data" "try_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.try) — gate: Eq(var.env, "test") — trace: main.tf:20-22 — compiler: tf-phi golden
resource "terraform_data" "try_v16_2" {
  count = var.env == "test" ? 1 : 0
  input = "16.2"
}

# phi: input (terraform_data.try) — gate: And(Not(Eq(var.env, "prod")), Not(Eq(var.env, "test"))) — trace: main.tf:20-22 — compiler: tf-phi golden
resource "terraform_data" "try_v14_9" {
  count = var.env != "prod" && var.env != "test" ? 1 : 0
  input = "14.9"
}
