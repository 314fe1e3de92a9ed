variable "size" { type = string }
resource "terraform_data" "db" { input = var.size }
output "size" { value = terraform_data.db.output }
