# Any text will do; whether it matches is true or false, and never null.
variable "name" {
  type = string
}

resource "terraform_data" "db" {
  input = "short: ${can(regex("^[a-d]", var.name))}"
}
