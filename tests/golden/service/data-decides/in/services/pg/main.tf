variable "engine_version" {
  type = string
}

resource "terraform_data" "cluster" {
  input = var.engine_version
}
