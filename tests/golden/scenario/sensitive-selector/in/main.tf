variable "secret" {
  type      = bool
  sensitive = true
}

resource "terraform_data" "db" {
  input = var.secret ? "15.4" : "14.9"
}
