locals {
  size = { default = "small", prod = "large" }
}
# phi: input (terraform_data.db) — gate: Eq(local.size[terraform.workspace], "small") — trace: main.tf:4-6 — compiler: tf-phi golden
resource "terraform_data" "db_small" {
  count = local.size[terraform.workspace] == "small" ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.db) — gate: Eq(local.size[terraform.workspace], "large") — trace: main.tf:4-6 — compiler: tf-phi golden
resource "terraform_data" "db_large" {
  count = local.size[terraform.workspace] == "large" ? 1 : 0
  input = "large"
}
