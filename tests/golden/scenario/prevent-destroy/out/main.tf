variable "env" {
  type = string
}

# phi: lifecycle.prevent_destroy (terraform_data.db) — gate: Existing(var.env == "prod") — trace: main.tf:5-11 — compiler: tf-phi golden
resource "terraform_data" "db_prevent_destroy_true" {
  count = var.env == "prod" ? 1 : 0
  input = "x"

  lifecycle {
    prevent_destroy = true
  }
}

# phi: lifecycle.prevent_destroy (terraform_data.db) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:5-11 — compiler: tf-phi golden
resource "terraform_data" "db_prevent_destroy_false" {
  count = var.env == "prod" ? 0 : 1
  input = "x"

  lifecycle {
    prevent_destroy = false
  }
}
