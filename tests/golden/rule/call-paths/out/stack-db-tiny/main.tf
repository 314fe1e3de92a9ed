module "db" {
  source = "../stack/db-db-tiny"
}
