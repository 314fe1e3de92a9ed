variable "b" {
  type    = bool
  default = null

  # phi: the values that are specialised
  validation {
    condition     = var.b == true || var.b == null
    error_message = "b must be one of true, null: only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.x) — gate: Existing(var.b) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "x_input_true" {
  count = var.b == true ? 1 : 0
  input = true
}

# phi: input (terraform_data.x) — gate: Eq(var.b, null) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "x_input_null" {
  count = var.b == null ? 1 : 0
  input = tobool(null)
}
