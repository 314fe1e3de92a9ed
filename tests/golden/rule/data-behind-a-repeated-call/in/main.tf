module "first" {
  source = "./first"
}

# All that is in the module comes after what says how often it is called, and so after every resource in `module.first`.
module "versions" {
  source   = "./versions"
  for_each = module.first.names
}
