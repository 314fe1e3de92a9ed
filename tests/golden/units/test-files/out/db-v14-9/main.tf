resource "terraform_data" "db" {
  input = "14.9"
}

output "release" { value = terraform_data.db.output }
