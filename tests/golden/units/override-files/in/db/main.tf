variable "name" {
  type = string
}

variable "engine" {
  type = string
}

variable "storage" {
  type = number
}

variable "size" {
  type = number
}

resource "terraform_data" "app" {
  input = { name = var.name, engine = var.engine, storage = var.storage, size = var.size }
}

output "name" {
  value = terraform_data.app.input.name
}
