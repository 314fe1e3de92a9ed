variable "a" {
  type = string
}

resource "terraform_data" "db" {
  input = formatlist("p-%s", [var.a, "b"])[0] == "p-x" ? "1" : "2"
}
