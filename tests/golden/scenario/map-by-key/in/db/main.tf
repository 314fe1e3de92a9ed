variable "release" {
  type = string
}

resource "terraform_data" "db" {
  input = { version = var.release }
}
