resource "terraform_data" "inner" {
  input = "B"
}

output "known" {
  value = "b" != "x y"
}

output "names" {
  value = { k1 = "b" }
}
