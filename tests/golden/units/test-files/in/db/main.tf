variable "release" { type = string }

resource "terraform_data" "db" {
  input = var.release
}

output "release" { value = terraform_data.db.output }
