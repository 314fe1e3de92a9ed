variable "prod" {
  type = bool
}

locals {
  sizes = {
    a = "small"
    b = "large"
  }
}

# phi: input (terraform_data.for_each) — gate: Existing(var.prod) — trace: main.tf:12-15 — compiler: tf-phi golden
resource "terraform_data" "for_each_prod" {
  for_each = { for each_key, each_value in local.sizes : each_key => each_value if var.prod }
  input    = "prod"
}

# phi: input (terraform_data.for_each) — gate: Not(Existing(var.prod)) — trace: main.tf:12-15 — compiler: tf-phi golden
resource "terraform_data" "for_each_dev" {
  for_each = { for each_key, each_value in local.sizes : each_key => each_value if !(var.prod) }
  input    = "dev"
}

# phi: input (terraform_data.by_key) — gate: Eq(each.key, "a") — trace: main.tf:17-20 — compiler: tf-phi golden
resource "terraform_data" "by_key_small" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if each_key == "a"])
  input    = "small"
}

# phi: input (terraform_data.by_key) — gate: Eq(each.key, "b") — trace: main.tf:17-20 — compiler: tf-phi golden
resource "terraform_data" "by_key_large" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if each_key == "b"])
  input    = "large"
}

# phi: input (terraform_data.count) — gate: Existing(var.prod) — trace: main.tf:22-25 — compiler: tf-phi golden
resource "terraform_data" "count_prod" {
  count = var.prod ? 2 : 0
  input = "prod"
}

# phi: input (terraform_data.count) — gate: Not(Existing(var.prod)) — trace: main.tf:22-25 — compiler: tf-phi golden
resource "terraform_data" "count_dev" {
  count = var.prod ? 0 : 2
  input = "dev"
}
