variable "size" {
  type = number
}

# phi: input (terraform_data.tier) — gate: Existing(var.size <= 15) — trace: m/main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "tier_small" {
  count = var.size <= 15 ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.tier) — gate: Not(Existing(var.size <= 15)) — trace: m/main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "tier_large" {
  count = var.size <= 15 ? 0 : 1
  input = "large"
}

resource "terraform_data" "big" {
  input = { big = false, named = true }
}
