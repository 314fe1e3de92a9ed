# The entries are the default's, and a validation says so.
variable "items" {
  type    = map(object({ size = number, kind = optional(string, "std") }))
  default = { a = { size = 1 }, b = { size = 2, kind = "big" } }
}

variable "names" {
  type    = set(string)
  default = ["q", "p"]
}

resource "terraform_data" "item" {
  for_each = var.items
  input    = each.value.size
  triggers_replace = each.value.kind
}

resource "terraform_data" "sorted" {
  input = sort([for n in var.names : upper(n)])
}

module "m" {
  for_each = { for k, v in var.items : "x-${k}" => v if v.size > 1 }
  source   = "./m"
  size     = each.value.size
}
