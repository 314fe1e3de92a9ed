variable "env" {
  type = string
}

# Nothing here fails: arms that aren't taken, and what has no instance.
locals {
  size  = var.env == "dev" ? { dev = 1 }[var.env] : 2
  tried = try({ dev = 1 }[var.env], 0)
}

resource "terraform_data" "none" {
  count = var.env == "dev" ? 1 : 0
  input = { dev = 1 }[var.env]
}

resource "terraform_data" "each" {
  for_each = { for name in ["a", "b"] : name => name if name != "b" }
  input    = { a = 1 }[each.key]
}

module "m" {
  source   = "./m"
  for_each = toset(var.env == "dev" ? ["x"] : [])
  key      = each.key
}
