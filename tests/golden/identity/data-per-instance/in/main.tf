module "site" {
  source   = "./mod"
  for_each = toset(["x", "y"])
  name     = each.key
}

resource "terraform_data" "db" {
  input = module.site["x"].env == "p" && module.site["y"].env == "q" ? "1" : "2"
}
