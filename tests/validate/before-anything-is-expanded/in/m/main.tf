variable "on" {
  type = bool
  validation {
    condition     = var.on
    error_message = "it has to be on"
  }
}

variable "zones" {
  type = list(string)
}

locals {
  word = join("-", ["x", "y"])
}

output "first" {
  value = { x = 1 }[local.word]
}
