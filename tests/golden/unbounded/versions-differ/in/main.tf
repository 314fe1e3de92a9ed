variable "a" {}
variable "b" {}

resource "terraform_data" "db" {
  input = var.a || var.b ? "15.4" : "14.9"
}
