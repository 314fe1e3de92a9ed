variable "n" {
  type = number
}

variable "c" {
  type = string
}

resource "terraform_data" "db" {
  input = (var.c == "n" ? var.n : "x") == "5" ? "1" : "2"
}
