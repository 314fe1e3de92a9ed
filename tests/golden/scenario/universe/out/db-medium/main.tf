resource "terraform_data" "db" { input = "medium" }
output "size" { value = terraform_data.db.output }
