variable "key" {
  type      = string
  sensitive = true

  validation {
    condition     = contains(["a", "b"], var.key)
    error_message = "One of a and b."
  }
}

# Told apart by what is sensitive.
resource "aws_secret" "by" {
  count = 2
  name  = var.key == "a" ? "a${count.index}" : "b"
}
