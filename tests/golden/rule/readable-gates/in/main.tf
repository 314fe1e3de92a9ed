variable "env" {
  type = string
  validation {
    condition     = contains(["dev", "test", "stage", "prod"], var.env)
    error_message = "Not an environment."
  }
}

variable "region" {
  type = string
}

variable "big" {
  type     = bool
  nullable = false
}

# Several values of one selector: a list.
resource "terraform_data" "list" {
  input = { dev = "small", test = "small", stage = "large", prod = "large" }[var.env]
}

# One value, and all others.
resource "terraform_data" "literal" {
  input = { dev = "small", test = "large", stage = "large", prod = "large" }[var.env]
}

# The user's own condition, where it says the same.
resource "terraform_data" "original" {
  input = startswith(var.region, "eu-") ? "here" : "there"
}

# Several selectors: what is left when all that is needless has gone, ("prod" and big) or eu.
resource "terraform_data" "form" {
  input = var.env == "prod" ? (var.big ? "a" : (var.region == "eu" ? "a" : "b")) : (var.region == "eu" ? "a" : (var.big && var.env == "prod" ? "a" : "b"))
}

# The same condition twice, and its negation within.
resource "terraform_data" "twice" {
  input = var.big ? (var.big ? "a" : "never") : (!var.big ? "b" : "never")
}
