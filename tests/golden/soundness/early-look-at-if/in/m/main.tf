variable "name" {
  type = string
}

resource "terraform_data" "by_value" {
  for_each = {
    k1 = { s = var.name }
    k2 = { s = try({ u = var.name }.missing, var.name) }
  }
  input = join("-", toset([each.value.s, each.key]))
}
