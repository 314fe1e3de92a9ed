variable "env" {
  type = string
}

locals {
  # An error for "none", which no `try` around the local sees: Terraform rejects that environment.
  size = { dev = 1, prod = 2 }[var.env]
}

resource "terraform_data" "r" {
  input = try(local.size, 0)
}
