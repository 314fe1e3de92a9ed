variable "identifier" { type = string }

variable "engine_version" { type = string }

variable "memory" { type = number }

# A check of the user's stays.
variable "checked" {
  type = string

  validation {
    condition     = var.checked != ""
    error_message = "Not empty."
  }
}

locals {
  # Nothing uses these two any more.
  chosen  = "${var.engine_version}"
  version = local.chosen
}

resource "terraform_data" "this" {
  input = {
    identifier     = var.identifier
    engine_version = local.version
    memory         = var.memory
    major          = split(".", var.engine_version)[0]
  }
}

output "endpoint" {
  value = "${var.identifier}.internal:${terraform_data.this.output.memory}"
}
