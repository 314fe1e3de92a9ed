variable "name" {
  type = string
}

resource "terraform_data" "name" {
  input = "${var.name}-app"
}

output "name" {
  value = terraform_data.name.output
}
