variable "token" {
  type      = string
  ephemeral = true
}

resource "terraform_data" "db" {
  input = var.token
}
