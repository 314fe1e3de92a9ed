variable "name" {
  type = string
}

variable "release" {
  type = string
}

resource "terraform_data" "db" {
  input = { name = var.name, release = var.release }
}

output "id" {
  value = terraform_data.db.output
}
