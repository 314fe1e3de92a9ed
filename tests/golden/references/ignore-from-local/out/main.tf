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

# phi: lifecycle.ignore_changes (terraform_data.app) — gate: Eq(var.env, "dev") — trace: main.tf:17-23 — compiler: tf-phi golden
resource "terraform_data" "app_ignore_changes_empty" {
  count = var.env == "dev" ? 1 : 0
  input = 1

  lifecycle {
    ignore_changes = []
  }
}

# phi: lifecycle.ignore_changes (terraform_data.app) — gate: Eq(var.env, "prod") — trace: main.tf:17-23 — compiler: tf-phi golden
resource "terraform_data" "app_input" {
  count = var.env == "prod" ? 1 : 0
  input = 1

  lifecycle {
    ignore_changes = [input]
  }
}
