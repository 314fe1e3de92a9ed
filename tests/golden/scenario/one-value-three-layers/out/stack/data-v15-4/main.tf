module "postgres" {
  source         = "../data/postgres-v15-4"
}
