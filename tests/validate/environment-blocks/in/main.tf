variable "env" {
  type = string
}

variable "size" {
  type    = string
  default = "small"
}

locals {
  prices = { small = 1, large = 2 }
}

output "price" {
  value = local.prices[var.size]
}

output "place" {
  value = { default = "here", live = "there" }[terraform.workspace]
}
