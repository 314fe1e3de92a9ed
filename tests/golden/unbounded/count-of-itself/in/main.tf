module "m" {
  source = "./m"
  count  = length(module.m)
}

module "p" {
  source   = "./m"
  for_each = { for k, v in module.q : k => v.n }
}

module "q" {
  source   = "./m"
  for_each = toset([module.p["a"].n])
}

resource "terraform_data" "x" {
  input = [module.m[0].n, module.p["a"].n]
}
