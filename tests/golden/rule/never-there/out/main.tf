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

# phi: input (terraform_data.db) — gate: Existing(var.on) — trace: main.tf:16-18 — compiler: tf-phi golden
resource "terraform_data" "db_v1" {
  count = var.on ? 1 : 0
  input = "1"
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.on)) — trace: main.tf:16-18 — compiler: tf-phi golden
resource "terraform_data" "db_v2" {
  count = var.on ? 0 : 1
  input = "2"
}
