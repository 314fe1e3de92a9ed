# phi: input (terraform_data.db) — gate: Eq(terraform.workspace, "default") — trace: main.tf:1-3 — compiler: tf-phi golden
resource "terraform_data" "db_pg_default" {
  count = terraform.workspace == "default" ? 1 : 0
  input = "pg-default"
}

# phi: input (terraform_data.db) — gate: Eq(terraform.workspace, "prod") — trace: main.tf:1-3 — compiler: tf-phi golden
resource "terraform_data" "db_pg_prod" {
  count = terraform.workspace == "prod" ? 1 : 0
  input = "pg-prod"
}
