variable "env" {
  default = "dev"
}

resource "terraform_data" "one" {
  input = var.evn
}

resource "terraform_data" "two" {
  input = [var.evn, var.env]
}

resource "terraform_data" "three" {
  input = "${var.evn}-${var.env}"
}
