variable "size" {
  type = number
}

resource "terraform_data" "db" {
  input = var.size * 2
}
