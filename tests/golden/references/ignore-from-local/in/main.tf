locals {
  by_env = {
    prod = ["input"]
    dev  = []
  }
}

variable "env" {
  type = string

  validation {
    condition     = contains(["prod", "dev"], var.env)
    error_message = "One of prod, dev."
  }
}

resource "terraform_data" "app" {
  input = 1

  lifecycle {
    ignore_changes = local.by_env[var.env]
  }
}
