variable "on" {
  type    = bool
  default = false
}

locals {
  routes = { for k, v in { a = "x" } : k => { hop = v, priority = 1 } if var.on }
}

# No key of it is ever left.
resource "terraform_data" "route" {
  for_each = { for k, v in local.routes : k => v if v.hop == "y" }
  input    = each.value.priority
}

resource "terraform_data" "db" {
  input = var.on ? "1" : "2"
}
