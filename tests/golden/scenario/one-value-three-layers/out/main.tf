module "stack" {
  source     = "./stack-v15-4"
}
