variable "n" { type = number }

resource "terraform_data" "db" {
  input = var.n < 5 ? "small" : var.n >= 100 ? "large" : "medium"
}
