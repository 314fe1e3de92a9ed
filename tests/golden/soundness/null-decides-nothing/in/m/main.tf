variable "v" {
  type = string
}

resource "terraform_data" "db" {
  input = var.v
}
