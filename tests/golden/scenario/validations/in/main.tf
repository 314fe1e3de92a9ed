variable "env" {
  type = string
  validation {
    condition     = can(regex("^(dev|prod)$", var.env))
    error_message = "One of two."
  }
}

variable "tier" {
  type = string
  validation {
    condition     = length(regexall("^(gold|iron)$", var.tier)) > 0
    error_message = "One of two."
  }
}

variable "n" {
  type = number
  validation {
    condition     = var.n >= 1 && var.n <= 3
    error_message = "From 1 to 3."
  }
  validation {
    condition     = floor(var.n) == var.n
    error_message = "A whole number."
  }
}

variable "any" {
  type = string
  validation {
    condition     = anytrue([var.any == "x", var.any == "y"])
    error_message = "One of two."
  }
}

resource "terraform_data" "env" { input = var.env }
resource "terraform_data" "tier" { input = var.tier }
resource "terraform_data" "n" { input = var.n }
resource "terraform_data" "any" { input = var.any }

variable "listed" {
  type = string
  validation {
    condition     = can(index(["s", "m", "s"], var.listed))
    error_message = "One of two."
  }
}

resource "terraform_data" "listed" { input = var.listed }
