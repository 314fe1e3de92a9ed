variable "flag" { type = bool }

# phi: input (terraform_data.db) — gate: Existing(var.flag) — trace: main.tf:3-5 — compiler: tf-phi golden
resource "terraform_data" "db_input_true" {
  count = var.flag ? 1 : 0
  input = true
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.flag)) — trace: main.tf:3-5 — compiler: tf-phi golden
resource "terraform_data" "db_input_false" {
  count = var.flag ? 0 : 1
  input = false
}

# phi: input (terraform_data.arms) — gate: Existing(var.flag) — trace: main.tf:7-9 — compiler: tf-phi golden
resource "terraform_data" "arms_on" {
  count = var.flag ? 1 : 0
  input = "on"
}

# phi: input (terraform_data.arms) — gate: Not(Existing(var.flag)) — trace: main.tf:7-9 — compiler: tf-phi golden
resource "terraform_data" "arms_off" {
  count = var.flag ? 0 : 1
  input = "off"
}
