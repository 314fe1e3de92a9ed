resource "terraform_data" "db" {
  input = "15.4"
}

output "release" { value = terraform_data.db.output }
