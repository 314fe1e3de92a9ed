module "stack" {
  source     = "./stack-v15-4"
  pg_version = "15.4"
}
