variable "v" {}

resource "terraform_data" "a" {
  input = { v = var.v }
}
