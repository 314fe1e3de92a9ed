variable "name" {
  type = string
}

resource "terraform_data" "db" {
  input = { name = var.name, release = "16.2" }
}

output "id" {
  value = terraform_data.db.output
}
