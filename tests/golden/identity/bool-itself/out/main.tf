variable "flag" {
  type = bool

  # phi: the values that are specialised
  validation {
    condition     = contains([true, false], var.flag)
    error_message = "flag must be one of true, false: only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.db) — gate: Eq(var.flag, true) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_true" {
  count = var.flag == true ? 1 : 0
  input = true
}

# phi: input (terraform_data.db) — gate: Eq(var.flag, false) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_false" {
  count = var.flag == false ? 1 : 0
  input = false
}
