variable "n" { type = number }

# phi: input (terraform_data.db) — gate: Existing(var.n < 5) — trace: main.tf:3-5 — compiler: tf-phi golden
resource "terraform_data" "db_small" {
  count = var.n < 5 ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.db) — gate: And(Not(Existing(var.n < 5)), Existing(var.n >= 100)) — trace: main.tf:3-5 — compiler: tf-phi golden
resource "terraform_data" "db_large" {
  count = !(var.n < 5) && var.n >= 100 ? 1 : 0
  input = "large"
}

# phi: input (terraform_data.db) — gate: And(Not(Existing(var.n < 5)), Not(Existing(var.n >= 100))) — trace: main.tf:3-5 — compiler: tf-phi golden
resource "terraform_data" "db_medium" {
  count = !(var.n < 5) && !(var.n >= 100) ? 1 : 0
  input = "medium"
}
