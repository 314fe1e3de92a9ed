resource "terraform_data" "first" {
}

output "names" {
  value = { a = 1 }
}
