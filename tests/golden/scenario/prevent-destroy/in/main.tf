variable "env" {
  type = string
}

resource "terraform_data" "db" {
  input = "x"

  lifecycle {
    prevent_destroy = var.env == "prod"
  }
}
