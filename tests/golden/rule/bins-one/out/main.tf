variable "size" {
  type     = number
  nullable = false

  # phi: the values that are specialised
  validation {
    condition     = var.size <= 100
    error_message = "var.size must be at most 100: what is larger has no bin. Add one in phi.hcl."
  }
}

resource "terraform_data" "disk" {
  input = 100
}
