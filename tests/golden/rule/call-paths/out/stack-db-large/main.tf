module "db" {
  source = "../stack/db-db-large"
}
