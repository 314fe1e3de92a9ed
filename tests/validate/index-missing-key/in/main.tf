variable "env" {
  type = string
}

locals {
  sizes = { dev = "small", prod = "large" }
  size  = local.sizes[var.env]
}

# An error is reported once, where it arises.
output "size" {
  value = upper(local.size)
}
