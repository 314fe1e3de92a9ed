variable "empty" {
  type = bool
}

variable "text" {
  type    = string
  default = null

  # phi: the values that are specialised
  validation {
    condition     = var.text == null
    error_message = "text must be null: only the default is specialised. List other values in phi.hcl."
  }
}

locals {
  # `[]` becomes a list beside a list, and stays a tuple beside the error of a text that is null.
  parts = var.empty ? [] : split(",", var.text)
}

# Only a tuple equals `[]`.
# phi: input (terraform_data.same) — gate: Existing(local.parts == []) — trace: main.tf:16-18 — compiler: tf-phi golden
resource "terraform_data" "same_tuple" {
  count = local.parts == [] ? 1 : 0
  input = "tuple"
}

# What is converted to a list is one.
# phi: input (terraform_data.listed) — gate: Existing(var.empty) — trace: main.tf:21-23 — compiler: tf-phi golden
resource "terraform_data" "listed_input_empty" {
  count = var.empty ? 1 : 0
  input = ""
}

# phi: input (terraform_data.listed) — gate: Not(Existing(var.empty)) — trace: main.tf:21-23 — compiler: tf-phi golden
resource "terraform_data" "listed_a" {
  count = var.empty ? 0 : 1
  input = "a"
}

# Joined with a tuple, it might be either.
resource "terraform_data" "joined" {
  input = length(concat(var.empty ? local.parts : ["a"], ["b"]))
}
