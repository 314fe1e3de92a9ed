variable "size" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["small", "large"], var.size), false)
    error_message = "size must be one of \"small\", \"large\": only these are specialised. Add others to its universe in phi.hcl."
  }
}
variable "region" {
  type    = string
  default = "eu"
}
variable "replicas" {
  type    = number
  default = 1

  # phi: the values that are specialised
  validation {
    condition     = try(contains([3, 1], var.replicas), false)
    error_message = "replicas must be one of 3, 1: only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.db) — gate: Eq(var.size, "small") — trace: main.tf:11-13 — compiler: tf-phi golden
resource "terraform_data" "db_small" {
  count = var.size == "small" ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.db) — gate: Eq(var.size, "large") — trace: main.tf:11-13 — compiler: tf-phi golden
resource "terraform_data" "db_large" {
  count = var.size == "large" ? 1 : 0
  input = "large"
}

# phi: input (terraform_data.zone) — gate: Existing(var.region == "eu") — trace: main.tf:15-17 — compiler: tf-phi golden
resource "terraform_data" "zone_eu_1" {
  count = var.region == "eu" ? 1 : 0
  input = "eu-1"
}

# phi: input (terraform_data.zone) — gate: Not(Existing(var.region == "eu")) — trace: main.tf:15-17 — compiler: tf-phi golden
resource "terraform_data" "zone_us_1" {
  count = var.region == "eu" ? 0 : 1
  input = "us-1"
}

# phi: input (terraform_data.n) — gate: Eq(var.replicas, 3) — trace: main.tf:19-21 — compiler: tf-phi golden
resource "terraform_data" "n_v3" {
  count = var.replicas == 3 ? 1 : 0
  input = 3
}

# phi: input (terraform_data.n) — gate: Eq(var.replicas, 1) — trace: main.tf:19-21 — compiler: tf-phi golden
resource "terraform_data" "n_v1" {
  count = var.replicas == 1 ? 1 : 0
  input = 1
}
