variable "engine_version" { type = string }

resource "terraform_data" "db" {
  input = var.engine_version
}
