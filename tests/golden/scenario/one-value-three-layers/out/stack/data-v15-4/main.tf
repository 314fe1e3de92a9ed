variable "pg_version" { type = string }

module "postgres" {
  source         = "../data/postgres-v15-4"
  engine_version = var.pg_version
}
