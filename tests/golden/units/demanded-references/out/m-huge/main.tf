variable "other" {
  type    = number
  default = 1
}

resource "terraform_data" "app" {
  input = "huge"

  lifecycle {
    precondition {
      condition     = local.size != "huge"
      error_message = "Not so large."
    }

    precondition {
      condition     = false || var.other > 1
      error_message = "Not so large, huge."
    }
  }
}

check "size" {
  assert {
    condition     = contains(["small"], local.size)
    error_message = "Not so large."
  }
}

output "all" {
  value = templatestring(local.size, { x = "huge" })
}

locals {
  size = "huge"
}
