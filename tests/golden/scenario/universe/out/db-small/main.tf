resource "terraform_data" "db" { input = "small" }
output "size" { value = terraform_data.db.output }
