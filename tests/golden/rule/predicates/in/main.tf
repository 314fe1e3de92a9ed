variable "env" {
  type = string
}

variable "size" {
  type     = number
  nullable = false
}

# Functions that answer yes or no are conditions on what they are asked of.
resource "terraform_data" "contains" {
  input = contains(["prod", "stage"], var.env) ? "ha" : "single"
}

resource "terraform_data" "startswith" {
  input = startswith(var.env, "prod-") ? "ha" : "single"
}

resource "terraform_data" "endswith" {
  input = endswith(var.env, "-eu") ? "eu" : "us"
}

resource "terraform_data" "strcontains" {
  input = strcontains(var.env, "test") ? "small" : "large"
}

resource "terraform_data" "compared" {
  input = var.size > 10 && var.size <= 20 ? "medium" : "other"
}

resource "terraform_data" "length" {
  input = length(var.env) == 3 ? "short" : "long"
}

resource "terraform_data" "matched" {
  input = can(regex("^(dev|test)$", var.env)) ? "small" : "large"
}
