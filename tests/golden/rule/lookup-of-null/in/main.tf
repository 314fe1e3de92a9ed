variable "on" {
  type = bool
}

variable "name" {
  type = string
}

locals {
  sizes = { a = "one", b = "two" }
}

# Null as a key is an error of `lookup`, which `try` catches.
resource "terraform_data" "caught" {
  input = try(lookup(local.sizes, var.name, "other"), "none")
}

# Where both arms have one type, an error of the other arm changes nothing.
resource "terraform_data" "chosen" {
  input = var.on ? "big" : lookup(local.sizes, var.name, "other")
}
