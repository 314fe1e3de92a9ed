variable "version_of_engine" {
  type = string
}

resource "terraform_data" "db" {
  input = var.version_of_engine
}
