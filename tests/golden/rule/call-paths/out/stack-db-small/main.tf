module "db" {
  source = "../stack/db-db-small"
}
