variable "size" {
  type = string
}

resource "terraform_data" "standby" {
  input = var.size
}

output "id" {
  value = terraform_data.standby.output
}
