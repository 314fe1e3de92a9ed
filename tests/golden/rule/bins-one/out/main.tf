variable "size" {
  type     = number
  nullable = false

  # phi: the values that are specialised
  validation {
    condition     = var.size <= 100
    error_message = "var.size must be at most 100: what is larger has no bin. Add one in phi.hcl."
  }
}

# phi: input (terraform_data.disk) — gate: Existing(true) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "disk" {
  input = 100
}
