module "site" {
  source   = "./mod-split"
  for_each = toset(["x", "y"])
  name     = each.key
}

# phi: input (terraform_data.db) — gate: Existing(module.site["x"].env == "p" && module.site["y"].env == "q") — trace: main.tf:7-9 — compiler: tf-phi golden
resource "terraform_data" "db_v1" {
  count = module.site["x"].env == "p" && module.site["y"].env == "q" ? 1 : 0
  input = "1"
}

# phi: input (terraform_data.db) — gate: Not(Existing(module.site["x"].env == "p" && module.site["y"].env == "q")) — trace: main.tf:7-9 — compiler: tf-phi golden
resource "terraform_data" "db_v2" {
  count = module.site["x"].env == "p" && module.site["y"].env == "q" ? 0 : 1
  input = "2"
}
