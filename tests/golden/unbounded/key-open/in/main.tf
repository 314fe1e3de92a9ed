variable "names" {
  type = set(string)
}

resource "terraform_data" "named" {
  for_each = var.names
  input    = upper(each.key)
}
