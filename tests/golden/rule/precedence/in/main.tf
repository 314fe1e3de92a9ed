# The first of the rules that says anything counts, from the top of this file to its end.
variable "listed" {
  type    = string
  default = "listed"
  validation {
    condition     = contains(["listed", "validated"], var.listed)
    error_message = "listed or validated."
  }
}

variable "validated" {
  type    = string
  default = "validated"
  validation {
    condition     = contains(["validated", "environment"], var.validated)
    error_message = "validated or environment."
  }
}

variable "supplied" {
  type = string
}

# An environment's value, and the default beside it.
variable "environment" {
  type    = string
  default = "default"
}

# No environment has false.
variable "meant" {
  type     = bool
  nullable = false
}

variable "flag" {
  type    = bool
  default = true
}

variable "default" {
  type    = string
  default = "default"
}

resource "terraform_data" "listed" {
  input = var.listed
}

resource "terraform_data" "validated" {
  input = var.validated
}

resource "terraform_data" "supplied" {
  triggers_replace = var.supplied
}

resource "terraform_data" "environment" {
  input = var.environment
}

resource "terraform_data" "meant" {
  input = var.meant
}

resource "terraform_data" "flag" {
  input = var.flag
}

resource "terraform_data" "default" {
  input = var.default
}
