resource "terraform_data" "image" {
  count = 1
  input = "pg:${16}.${2}"
}

output "name" {
  value = tostring(one(terraform_data.image[*].input))
}
