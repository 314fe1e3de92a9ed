resource "terraform_data" "db" { input = "large" }
output "size" { value = terraform_data.db.output }
