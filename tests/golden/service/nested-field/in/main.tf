variable "prod" {
  type = bool
}

resource "terraform_data" "db" {
  input = {
    engine         = "postgres"
    engine_version = var.prod ? "15.4" : "14.9"
  }
}

output "db" {
  value = terraform_data.db.output.engine_version
}
