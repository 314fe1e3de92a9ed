variable "protect" { type = bool }

# phi: lifecycle.prevent_destroy (terraform_data.uneven) — gate: Not(Existing(var.protect)) — trace: modules/uneven/main.tf:3-7 — compiler: tf-phi golden
resource "terraform_data" "uneven_prevent_destroy_false" {
  count = var.protect ? 0 : 1
  lifecycle {
    prevent_destroy = false
  }
}

# phi: lifecycle.prevent_destroy (terraform_data.uneven) — gate: Existing(var.protect) — trace: modules/uneven/main.tf:3-7 — compiler: tf-phi golden
resource "terraform_data" "uneven_prevent_destroy_true" {
  count = var.protect ? 1 : 0
  lifecycle {
    prevent_destroy = true
  }
}
