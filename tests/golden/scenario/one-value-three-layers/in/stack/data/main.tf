variable "pg_version" { type = string }

module "postgres" {
  source         = "./postgres"
  engine_version = var.pg_version
}
