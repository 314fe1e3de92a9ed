variable "a" {
  type = string
}

variable "b" {
  type = string
}

resource "terraform_data" "db" {
  input = reverse([var.a, var.b])[0] == "x" ? "1" : "2"
}
