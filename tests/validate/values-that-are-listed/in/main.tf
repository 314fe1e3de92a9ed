# What is printed to see a failure has to pass the validations of the other variables, and be what Terraform takes.
variable "env" {
  type = string

  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "env must be dev or prod."
  }
}

variable "kind" {
  type    = string
  default = null
}

resource "terraform_data" "x" {
  input = { prod = 3 }[coalesce(var.kind, "none")]
}

variable "zone" {
  type    = string
  default = "eu"
}

resource "terraform_data" "y" {
  input = { eu = 1, us = 2 }[var.zone]
}
