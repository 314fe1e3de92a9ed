variable "same" {
  type = string
  validation {
    condition     = contains(["a", "b"], var.same)
    error_message = "a or b."
  }
}
variable "wider" {
  type = string
  validation {
    condition     = contains(["a", "b", "c"], var.wider)
    error_message = "a, b or c."
  }
}
variable "narrower" {
  type = string
  validation {
    condition     = contains(["a"], var.narrower)
    error_message = "a."
  }
}
variable "pinned" {
  type    = string
  default = "a"
  validation {
    condition     = var.pinned == "a"
    error_message = "a."
  }
}
variable "pinned2" {
  type    = string
  default = "a"
  validation {
    condition     = length(var.pinned2) < 10
    error_message = "short."
  }
}

resource "terraform_data" "a" {
  input = var.same
}

resource "terraform_data" "b" {
  input = var.wider
}

resource "terraform_data" "c" {
  input = var.narrower
}

resource "terraform_data" "d" {
  input = var.pinned
}

resource "terraform_data" "e" {
  input = var.pinned2
}
