variable "name" {
  type = string
}

resource "terraform_data" "leaf" {
  input = "leaf x: ${lower(var.name)}"
}
