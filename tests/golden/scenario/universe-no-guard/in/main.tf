variable "env" { type = string }

resource "terraform_data" "db" {
  input = var.env == "prod" ? "large" : "small"
}
