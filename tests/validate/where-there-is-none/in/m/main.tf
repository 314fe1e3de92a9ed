variable "key" {
  type = string
}

locals {
  of = { x = 1 }[var.key]
}
