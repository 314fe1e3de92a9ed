# phi: input (terraform_data.db) — gate: Eq(terraform.workspace, "default") — trace: main.tf:1-3 — compiler: tf-phi golden
resource "terraform_data" "db_pg_default" {
  count = { "default" = true, "prod" = false }[terraform.workspace] ? 1 : 0
  input = "pg-default"
}

# phi: input (terraform_data.db) — gate: Eq(terraform.workspace, "prod") — trace: main.tf:1-3 — compiler: tf-phi golden
resource "terraform_data" "db_pg_prod" {
  count = { "default" = false, "prod" = true }[terraform.workspace] ? 1 : 0
  input = "pg-prod"
}
