variable "names" {
  type = list(string)

  validation {
    condition     = length(var.names) > 0
    error_message = "At least one name, please."
  }
}

output "first" {
  value = var.names[0]
}
