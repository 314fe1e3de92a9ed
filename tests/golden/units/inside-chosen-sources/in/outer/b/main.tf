variable "leaf" {
  type = string
}

resource "terraform_data" "b" {
  input = "b of ${var.leaf}"
}
