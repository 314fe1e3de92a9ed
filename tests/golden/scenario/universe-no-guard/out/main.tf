variable "env" { type = string }

# phi: input (terraform_data.db) — gate: Existing(var.env == "prod") — trace: main.tf:3-5 — compiler: tf-phi golden
resource "terraform_data" "db_large" {
  count = var.env == "prod" ? 1 : 0
  input = "large"
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:3-5 — compiler: tf-phi golden
resource "terraform_data" "db_small" {
  count = var.env == "prod" ? 0 : 1
  input = "small"
}
