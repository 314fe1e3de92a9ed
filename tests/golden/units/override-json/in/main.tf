variable "on" {
  type = bool
}

resource "terraform_data" "app" {
  input = var.on ? "a" : "b"
}
