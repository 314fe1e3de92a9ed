variable "zone" {
  type    = string
  default = null

  # phi: the values that are specialised
  validation {
    condition     = var.zone == "a" || var.zone == "b" || var.zone == null
    error_message = "zone must be one of \"a\", \"b\", null: only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.r) — gate: Existing(var.zone == null) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "r_anywhere" {
  count = var.zone == null ? 1 : 0
  input = "anywhere"
}

# phi: input (terraform_data.r) — gate: Eq(var.zone, "a") — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "r_a" {
  count = var.zone == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.r) — gate: Eq(var.zone, "b") — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "r_b" {
  count = var.zone == "b" ? 1 : 0
  input = "b"
}
