variable "share" {
  type = number

  validation {
    condition     = contains([0.30000000000000004, 0.1], var.share)
    error_message = "One of the two."
  }
}

resource "terraform_data" "app" {
  input = var.share
}
