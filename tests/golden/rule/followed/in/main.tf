variable "prod" {
  type = bool
}

module "names" {
  source = "./names"
  prod   = var.prod
}

locals {
  size   = var.prod ? "large" : "small"
  alias  = local.size
  object = { size = local.alias, fixed = "x" }
  list   = [local.alias, "other"]
  pairs  = { for k, v in local.object : k => upper(v) }
}

resource "terraform_data" "local" {
  input = local.alias
}

resource "terraform_data" "output" {
  input = module.names.name
}

resource "terraform_data" "object" {
  input = local.object.size
}

resource "terraform_data" "list" {
  input = local.list[0]
}

resource "terraform_data" "for" {
  input = local.pairs["size"]
}

resource "terraform_data" "splat" {
  input = [{ n = local.size }][*].n
}

resource "terraform_data" "template" {
  input = "db-${local.size}%{if var.prod}-ha%{endif}"
}

resource "terraform_data" "operator" {
  input = (var.prod ? 2 : 1) * 10
}

resource "terraform_data" "same_in_every_case" {
  input = var.prod ? local.object.fixed : "x"
}
