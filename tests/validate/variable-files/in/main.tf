# What Terraform refuses in a variable file, and in which environments. Nothing else is evaluated there.
variable "size" {
  default = "small"
}

locals {
  price = { small = 1 }[var.size]
}
