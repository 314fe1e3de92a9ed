variable "names" {
  type = set(string)
}

resource "terraform_data" "db" {
  for_each = var.names
  input    = upper(each.value)
}
