variable "env" {
  type = string
}

resource "terraform_data" "app" {
  for_each = toset(["a", "b"])
  input    = { dev = "x" }[var.env]

  lifecycle {
    precondition {
      condition     = var.env != "prod" || each.key != "b"
      error_message = "No ${each.key} in ${var.env}."
    }
  }
}

resource "terraform_data" "only" {
  input = var.env

  lifecycle {
    postcondition {
      condition     = var.env == "dev"
      error_message = "Only in dev."
    }
  }
}

output "env" {
  value = var.env

  precondition {
    condition     = startswith(var.env, "d")
    error_message = "Starts with d."
  }
}
