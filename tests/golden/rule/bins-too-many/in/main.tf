variable "size" {
  type = number

  validation {
    condition     = var.size >= 1 && var.size <= 100 && floor(var.size) == var.size
    error_message = "size must be a whole number from 1 to 100."
  }
}

resource "terraform_data" "disk" {
  input = var.size
}
