variable "v" {}

resource "terraform_data" "b" {
  input = { v = var.v }
}
