variable "frozen" {
  type = bool
}

# phi: lifecycle.ignore_changes (terraform_data.app) — gate: Existing(var.frozen) — trace: main.tf:5-11 — compiler: tf-phi golden
resource "terraform_data" "app_all" {
  count = var.frozen ? 1 : 0
  input = 1

  lifecycle {
    ignore_changes = all
  }
}

# phi: lifecycle.ignore_changes (terraform_data.app) — gate: Not(Existing(var.frozen)) — trace: main.tf:5-11 — compiler: tf-phi golden
resource "terraform_data" "app_input" {
  count = var.frozen ? 0 : 1
  input = 1

  lifecycle {
    ignore_changes = [input]
  }
}
