variable "prod" {
  type = bool
}

locals {
  sizes = {
    a = "small"
    b = "large"
  }
}

resource "terraform_data" "for_each" {
  for_each = local.sizes
  input    = var.prod ? "prod" : "dev"
}

resource "terraform_data" "by_key" {
  for_each = toset(["a", "b"])
  input    = local.sizes[each.key]
}

resource "terraform_data" "count" {
  count = 2
  input = var.prod ? "prod" : "dev"
}
