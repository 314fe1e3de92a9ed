resource "terraform_data" "db" {
  for_each = { a = "15.4", b = "14.9" }
  input    = each.value
}
