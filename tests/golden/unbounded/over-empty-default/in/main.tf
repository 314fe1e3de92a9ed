variable "items" {
  type    = map(object({ size = number }))
  default = {}
}

resource "terraform_data" "item" {
  for_each = var.items
  input    = each.value.size
}
