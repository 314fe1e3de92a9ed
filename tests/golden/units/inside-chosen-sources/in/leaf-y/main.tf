variable "name" {
  type = string
}

resource "terraform_data" "leaf" {
  input = "leaf y: ${lower(var.name)}"
}
