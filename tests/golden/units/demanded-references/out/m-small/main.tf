variable "other" {
  type    = number
  default = 1
}

resource "terraform_data" "app" {
  input = "small"

  lifecycle {
    precondition {
      condition     = true || var.other > 1
      error_message = "Not so large, small."
    }
  }
}

output "all" {
  value = templatestring(local.size, { x = "small" })
}

locals {
  size = "small"
}
