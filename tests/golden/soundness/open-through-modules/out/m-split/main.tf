variable "size" {
  type = number
}

variable "label" {
  type = string
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

# phi: input (terraform_data.big) — gate: And(Existing(var.size > 15), Existing(var.label == "100")) — trace: m/main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "big_xa267fd" {
  count = var.size > 15 && var.label == "100" ? 1 : 0
  input = { big = true, named = true }
}

# phi: input (terraform_data.big) — gate: And(Existing(var.size > 15), Not(Existing(var.label == "100"))) — trace: m/main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "big_x55adbe" {
  count = var.size > 15 && !(var.label == "100") ? 1 : 0
  input = { big = true, named = false }
}

# phi: input (terraform_data.big) — gate: And(Not(Existing(var.size > 15)), Not(Existing(var.size > 15)), Existing(var.label == "100")) — trace: m/main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "big_x428b05" {
  count = !(var.size > 15) && !(var.size > 15) && var.label == "100" ? 1 : 0
  input = { big = false, named = true }
}

# phi: input (terraform_data.big) — gate: And(Not(Existing(var.size > 15)), Not(Existing(var.size > 15)), Not(Existing(var.label == "100"))) — trace: m/main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "big_x233721" {
  count = !(var.size > 15) && !(var.size > 15) && !(var.label == "100") ? 1 : 0
  input = { big = false, named = false }
}
