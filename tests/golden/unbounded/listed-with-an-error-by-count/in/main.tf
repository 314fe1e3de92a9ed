variable "shift" {
  type = number

  validation {
    condition     = contains([0, 1], var.shift)
    error_message = "0 or 1."
  }
}

resource "terraform_data" "r" {
  count = 2
  input = ["a", "b"][count.index + var.shift]
}
