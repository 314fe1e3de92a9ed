# phi: input (terraform_data.db) — gate: Existing(true) — trace: stack/data/postgres/main.tf:3-5 — compiler: tf-phi golden
resource "terraform_data" "db" {
  input = "15.4"
}
