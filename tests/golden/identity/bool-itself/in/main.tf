variable "flag" {
  type = bool
}

resource "terraform_data" "db" {
  input = var.flag
}
