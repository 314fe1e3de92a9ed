locals {
  # An error for "none", which no `try` around the local sees: Terraform rejects that environment.
  size = { dev = 1, prod = 2 }["prod"]
}

resource "terraform_data" "r" {
  input = 2
}
