resource "terraform_data" "legacy" {
  input = "pg-15.4"
}

output "host" {
  value = terraform_data.legacy.output
}
