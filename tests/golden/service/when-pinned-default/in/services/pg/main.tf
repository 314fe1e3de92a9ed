variable "engine_version" {
  type = string
}

resource "terraform_data" "release" {
  input = { version = var.engine_version }
}

output "host" {
  value = "db"
}

output "port" {
  value = 5432
}
