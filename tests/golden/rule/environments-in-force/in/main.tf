# One branch set over all environments: those of every pattern, in either syntax, with the default.
variable "size" {
  type    = string
  default = "tiny"
}

variable "zones" {
  type = list(string)
}

# Null means the default here.
variable "tier" {
  type     = string
  default  = "iron"
  nullable = false
}

# What a validation rejects can't be meant.
variable "engine" {
  type = string
  validation {
    condition     = length(var.engine) == 4
    error_message = "Four characters."
  }
}

resource "terraform_data" "size" {
  input = var.size
}

resource "terraform_data" "zones" {
  input = length(var.zones)
}

resource "terraform_data" "tier" {
  input = var.tier
}

resource "terraform_data" "engine" {
  input = "pg-${var.engine}"
}

resource "terraform_data" "both" {
  input = "${var.size}-${var.tier}"
}
