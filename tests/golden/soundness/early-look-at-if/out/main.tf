locals {
  none = try([for x in [] : x if null], ["an error before the first element"])
}

module "m" {
  source   = "./m-split"
  for_each = toset(["a", "b"])
  name     = trimsuffix(each.key, "b")
}

# phi: input (terraform_data.none) — gate: Existing(true) — trace: main.tf:11-13 — compiler: tf-phi golden
resource "terraform_data" "none" {
  input = "an error before the first element"
}
