variable "major" {
  type = number
}

variable "minor" {
  type = number
}

resource "terraform_data" "image" {
  count = var.major > 15 ? 1 : 0
  input = "pg:${var.major}.${var.minor}"
}

output "name" {
  value = var.major > 15 ? one(terraform_data.image[*].input) : "old"
}
