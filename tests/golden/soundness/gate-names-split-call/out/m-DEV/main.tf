resource "terraform_data" "inner" {
  input = "DEV"
}

output "known" {
  value = "dev" != "x y"
}

output "names" {
  value = { k1 = "dev" }
}
