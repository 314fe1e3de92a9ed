locals {
  a = local.b
  b = local.a
}

resource "terraform_data" "db" {
  input = local.a
}
