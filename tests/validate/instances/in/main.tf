variable "env" {
  type = string
}

resource "terraform_data" "each" {
  for_each = { for name in ["a", "b"] : name => name if name != "b" || var.env == "prod" }
  input    = { a = 1 }[each.key]
}

module "m" {
  source = "./m"
  count  = var.env == "dev" ? 1 : 2
  number = count.index
}
