# Any text will do; whether it matches is true or false, and never null.
variable "name" {
  type = string
}

# phi: input (terraform_data.db) — gate: Existing(can(regex("^[a-d]", var.name))) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "db_short_true" {
  count = can(regex("^[a-d]", var.name)) ? 1 : 0
  input = "short: true"
}

# phi: input (terraform_data.db) — gate: Not(Existing(can(regex("^[a-d]", var.name)))) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "db_short_false" {
  count = can(regex("^[a-d]", var.name)) ? 0 : 1
  input = "short: false"
}
