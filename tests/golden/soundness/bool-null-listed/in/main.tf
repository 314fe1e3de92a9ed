variable "b" {
  type    = bool
  default = null
}

resource "terraform_data" "x" {
  input = var.b
}
