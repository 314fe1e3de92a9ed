variable "size" {
  type = string
}

resource "terraform_data" "db" {
  input = var.size
}
