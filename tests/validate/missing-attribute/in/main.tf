variable "app" {
  type = any
}

resource "terraform_data" "app" {
  input = var.app.port
}
