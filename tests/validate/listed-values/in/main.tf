variable "size" {
  type    = string
  default = "s"
}

variable "zone" {
  type    = string
  default = "a"

  validation {
    condition     = contains(["a", "b", "c"], var.zone)
    error_message = "No such zone."
  }
}

variable "public" {
  type    = bool
  default = false
}

locals {
  disk      = { s = 10, m = 20 }[var.size]
  subnet    = { a = 1, b = 2 }[var.zone]
  together  = var.public && var.zone == "b" ? { s = 1 }[var.size] : 0
  by_space  = { default = 1 }[terraform.workspace]
}
