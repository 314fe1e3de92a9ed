variable "pg_version" { type = string }

module "data" {
  source     = "./data"
  pg_version = tostring(var.pg_version)
}
