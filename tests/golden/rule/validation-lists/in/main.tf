# Every way in which a validation lists the values that it accepts.
locals {
  tiers = ["gold", "iron"]
  sizes = { s = 1, m = 2 }
}

variable "equal" {
  type = string
  validation {
    condition     = var.equal == "a" || "b" == var.equal
    error_message = "a or b."
  }
}

variable "elsewhere" {
  type = string
  validation {
    condition     = contains(local.tiers, var.elsewhere)
    error_message = "One of the tiers."
  }
}

variable "in_a_set" {
  type = string
  validation {
    condition     = contains(toset(["a", "b"]), var.in_a_set)
    error_message = "a or b."
  }
}

variable "any" {
  type = string
  validation {
    condition     = anytrue([for value in ["a", "b"] : var.any == value])
    error_message = "a or b."
  }
}

variable "position" {
  type = string
  validation {
    condition     = index(["a", "b", "c"], var.position) < 2
    error_message = "a or b."
  }
}

variable "key" {
  type = string
  validation {
    condition     = can(local.sizes[var.key])
    error_message = "s or m."
  }
}

variable "looked_up" {
  type = string
  validation {
    condition     = can(lookup(local.sizes, var.looked_up))
    error_message = "s or m."
  }
}

variable "by_default" {
  type = string
  validation {
    condition     = lookup({ s = true, m = true, l = false }, var.by_default, false)
    error_message = "s or m."
  }
}

variable "of_keys" {
  type = string
  validation {
    condition     = contains(keys(local.sizes), var.of_keys)
    error_message = "s or m."
  }
}

variable "pattern" {
  type = string
  validation {
    condition     = can(regex("^(?:dev|prod)$", var.pattern))
    error_message = "dev or prod."
  }
}

variable "conditional" {
  type = string
  validation {
    condition     = var.conditional == "a" ? true : var.conditional == "b"
    error_message = "a or b."
  }
}

resource "terraform_data" "equal" {
  input = var.equal
}

resource "terraform_data" "elsewhere" {
  input = var.elsewhere
}

resource "terraform_data" "in_a_set" {
  input = var.in_a_set
}

resource "terraform_data" "any" {
  input = var.any
}

resource "terraform_data" "position" {
  input = var.position
}

resource "terraform_data" "key" {
  input = var.key
}

resource "terraform_data" "looked_up" {
  input = var.looked_up
}

resource "terraform_data" "by_default" {
  input = var.by_default
}

resource "terraform_data" "of_keys" {
  input = var.of_keys
}

resource "terraform_data" "pattern" {
  input = var.pattern
}

resource "terraform_data" "conditional" {
  input = var.conditional
}
