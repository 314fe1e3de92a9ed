locals {
  none = try([for x in [] : x if null], ["an error before the first element"])
}

module "m" {
  source   = "./m-split"
  for_each = toset(["a", "b"])
  name     = trimsuffix(each.key, "b")
}

resource "terraform_data" "none" {
  input = "an error before the first element"
}
