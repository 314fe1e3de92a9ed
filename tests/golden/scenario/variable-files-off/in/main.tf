variable "pg" {
  type    = string
  default = "15"
}

resource "terraform_data" "engine" {
  input = var.pg
}
