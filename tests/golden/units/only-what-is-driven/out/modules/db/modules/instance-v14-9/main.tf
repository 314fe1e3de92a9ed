variable "identifier" { type = string }

variable "memory" { type = number }

# A check of the user's stays.
variable "checked" {
  type = string

  validation {
    condition     = var.checked != ""
    error_message = "Not empty."
  }
}

resource "terraform_data" "this" {
  input = {
    identifier     = var.identifier
    engine_version = "14.9"
    memory         = var.memory
    major          = "14"
  }
}

output "endpoint" {
  value = "${var.identifier}.internal:${terraform_data.this.output.memory}"
}
