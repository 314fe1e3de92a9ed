module "stack" {
  source     = "./stack"
  pg_version = "15.4"
}
