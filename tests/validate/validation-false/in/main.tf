variable "replicas" {
  type = number

  validation {
    condition     = var.replicas < 10
    error_message = "${var.replicas} replicas are too many."
  }
}

# Terraform evaluates nothing that refers to a variable whose rule is broken.
output "left" {
  value = ["a", "b"][var.replicas]
}
