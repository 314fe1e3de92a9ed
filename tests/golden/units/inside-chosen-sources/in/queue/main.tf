variable "env" {
  type = string
}

resource "terraform_data" "it" {
  input = "queue of ${var.env}"
}
