variable "engine_version" {
  type = string
}

resource "terraform_data" "legacy" {
  input = "pg-${var.engine_version}"
}

output "host" {
  value = terraform_data.legacy.output
}
