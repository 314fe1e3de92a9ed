variable "on" {
  type = bool
}

variable "name" {
  type = string
}

# With a name of null `lookup` is an error, which has no type: the number stays one then, and is a string otherwise.
resource "terraform_data" "app" {
  input = var.on ? -2 : lookup({ a = "one", b = "two" }, var.name, "other")
}
