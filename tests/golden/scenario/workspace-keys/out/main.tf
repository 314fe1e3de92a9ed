locals {
  size = { default = "small", prod = "large" }
}
# phi: input (terraform_data.db) — gate: Eq(terraform.workspace, "default") — trace: main.tf:4-6 — compiler: tf-phi golden
resource "terraform_data" "db_small" {
  count = terraform.workspace == "default" ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.db) — gate: Eq(terraform.workspace, "prod") — trace: main.tf:4-6 — compiler: tf-phi golden
resource "terraform_data" "db_large" {
  count = terraform.workspace == "prod" ? 1 : 0
  input = "large"
}
