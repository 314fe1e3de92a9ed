variable "engine" {
  type = string
}

resource "terraform_data" "db" {
  input = var.engine
}
