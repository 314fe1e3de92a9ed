# Ranges are finite where the number is whole.
variable "whole" {
  type = number
  validation {
    condition     = var.whole > 0 && var.whole < 4 && var.whole % 1 == 0
    error_message = "1 to 3."
  }
}

variable "rounded" {
  type = number
  validation {
    condition     = !(var.rounded < 2) && 5 > var.rounded && ceil(var.rounded) == var.rounded
    error_message = "2 to 4."
  }
}

variable "of_a_range" {
  type = number
  validation {
    condition     = contains(range(1, 4), var.of_a_range)
    error_message = "1 to 3."
  }
}

variable "two_ranges" {
  type = number
  validation {
    condition     = (var.two_ranges >= 1 && var.two_ranges <= 2) || (var.two_ranges > 9 && var.two_ranges <= 10)
    error_message = "1, 2 or 10."
  }
  validation {
    condition     = floor(var.two_ranges) == var.two_ranges
    error_message = "A whole number."
  }
}

variable "steps" {
  type = number
  validation {
    condition     = contains([10, 20, 25, 30], var.steps) && var.steps % 10 == 0 && var.steps < 30
    error_message = "10 or 20."
  }
}

resource "terraform_data" "whole" {
  input = var.whole
}

resource "terraform_data" "rounded" {
  input = var.rounded
}

resource "terraform_data" "of_a_range" {
  input = var.of_a_range
}

resource "terraform_data" "two_ranges" {
  input = var.two_ranges
}

resource "terraform_data" "steps" {
  input = var.steps
}
