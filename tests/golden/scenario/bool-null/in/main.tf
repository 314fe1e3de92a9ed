variable "flag" { type = bool }

resource "terraform_data" "db" {
  input = var.flag
}

resource "terraform_data" "arms" {
  input = var.flag ? "on" : "off"
}
