variable "env" {
  type = string

  validation {
    condition     = contains(["prod", "dev"], var.env)
    error_message = "One of prod and dev."
  }
}

# An error in one of the entries.
resource "aws_fault" "by" {
  dynamic "rule" {
    for_each = [{ port = 80 }, { port = var.env == "prod" ? 443 : null }]
    content {
      port = rule.value.port + 1
    }
  }
}
