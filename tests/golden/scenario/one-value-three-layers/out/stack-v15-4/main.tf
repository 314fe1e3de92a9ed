variable "pg_version" { type = string }

module "data" {
  source     = "../stack/data-v15-4"
  pg_version = tostring(var.pg_version)
}
