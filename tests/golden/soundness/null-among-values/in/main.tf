variable "on" {
  type    = bool
  default = null
}

variable "tier" {
  type = string
}

locals {
  flag = { any = true, strict = var.on }[var.tier]
}

# With `tier = "any"` it is known even where `on` is null.
resource "terraform_data" "r" {
  input = local.flag ? "yes" : "no"
}
