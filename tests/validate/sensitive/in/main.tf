variable "password" {
  type      = string
  sensitive = true

  validation {
    condition     = length(var.password) > 8
    error_message = "Too short."
  }
}
