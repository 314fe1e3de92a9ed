variable "name" {
  type = string

  validation {
    condition     = length(var.name) > 3
    error_message = "Too short."
  }
}

# This fails whatever the values are.
locals {
  never = ["${var.name}-x"][1]
}
