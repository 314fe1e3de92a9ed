variable "p4" {
  type = string
}

resource "terraform_data" "r8" {
  input = "${var.p4}-x"
}
