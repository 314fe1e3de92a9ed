variable "env" {
  type = string

  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "Not an environment."
  }
}

locals {
  sizes = var.env == "prod" ? tomap({ db = "large", cache = "large" }) : tomap({ db = "small" })
}

resource "terraform_data" "by_value" {
  for_each = local.sizes
  input    = each.value
}

resource "terraform_data" "by_key" {
  for_each = toset(var.env == "prod" ? ["db", "cache"] : ["db"])
  input    = each.key == "db" ? "15.4" : "7.2"
}

module "box" {
  source   = "./box"
  for_each = local.sizes
  class    = each.key == "cache" ? "r6" : each.value
}
