variable "size" {
  type = string
}

variable "other" {
  type    = number
  default = 1
}

resource "terraform_data" "app" {
  input = var.size

  lifecycle {
    precondition {
      condition     = var.size != "huge"
      error_message = "Not so large."
    }

    precondition {
      condition     = var.size != "huge" || var.other > 1
      error_message = "Not so large, ${var.size}."
    }
  }
}

check "size" {
  assert {
    condition     = contains(["small"], var.size)
    error_message = "Not so large."
  }
}

output "all" {
  value = templatestring(var.size, { x = var.size })
}
