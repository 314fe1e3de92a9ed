variable "size" {
  type = number
}

resource "terraform_data" "inner" {
  input = 2
}
