variable "engine_version" {
  type = string
}

resource "terraform_data" "database" {
  input = var.engine_version
}
