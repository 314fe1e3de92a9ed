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
    engine_version = "15.4"
    memory         = var.memory
    major          = "15"
  }
}

output "endpoint" {
  value = "${var.identifier}.internal:${terraform_data.this.output.memory}"
}
