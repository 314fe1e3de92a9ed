variable "name" {
  type = string
}

variable "storage" {
  type = number
}

variable "size" {
  type = number
}

resource "terraform_data" "app" {
  input = { name = var.name, engine = "14.9", storage = var.storage, size = var.size }
}

output "name" {
  value = terraform_data.app.input.name
}
