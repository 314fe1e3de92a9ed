variable "zoned" {
  type     = bool
  nullable = false
}

variable "zones" {
  type    = string
  default = null
}

variable "large" {
  type     = bool
  nullable = false
}

locals {
  # `[]` becomes a list, and stays a tuple beside the error of a text that is null.
  pool = merge(
    { size = 1, zones = var.zoned ? split(",", var.zones) : [] },
    { size = var.large ? 5 : 3 },
  )
}

resource "terraform_data" "pool" {
  input = lookup(local.pool, "size", 1)
}

resource "terraform_data" "mode" {
  input = lookup(local.pool, "mode", "none")
}
