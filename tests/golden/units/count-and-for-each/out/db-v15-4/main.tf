variable "name" {
  type = string
}

resource "terraform_data" "db" {
  input = { name = var.name, release = "15.4" }
}

output "id" {
  value = terraform_data.db.output
}
