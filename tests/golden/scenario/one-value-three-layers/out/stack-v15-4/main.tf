module "data" {
  source     = "../stack/data-v15-4"
}
