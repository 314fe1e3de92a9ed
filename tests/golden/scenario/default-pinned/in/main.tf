variable "postgres_version" {
  type    = string
  default = "15.4"
}

resource "terraform_data" "db" {
  input = "pg-${var.postgres_version}"
}
