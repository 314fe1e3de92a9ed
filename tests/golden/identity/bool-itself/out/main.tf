variable "flag" {
  type = bool
}

# phi: input (terraform_data.db) — gate: Existing(var.flag) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_input_true" {
  count = var.flag ? 1 : 0
  input = true
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.flag)) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_input_false" {
  count = var.flag ? 0 : 1
  input = false
}
