variable "empty" {
  type = bool
}

variable "text" {
  type    = string
  default = null
}

locals {
  # `[]` becomes a list beside a list, and stays a tuple beside the error of a text that is null.
  parts = var.empty ? [] : split(",", var.text)
}

# Only a tuple equals `[]`.
resource "terraform_data" "same" {
  input = local.parts == [] ? "tuple" : "list"
}

# What is converted to a list is one.
resource "terraform_data" "listed" {
  input = join("-", var.empty ? local.parts : tolist(["a"]))
}

# Joined with a tuple, it might be either.
resource "terraform_data" "joined" {
  input = length(concat(var.empty ? local.parts : ["a"], ["b"]))
}
