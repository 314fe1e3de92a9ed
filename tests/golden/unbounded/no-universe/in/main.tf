variable "postgres_version" {
  type = string
}

resource "terraform_data" "db" {
  input = var.postgres_version
}
