# phi: input (terraform_data.db) — gate: Existing(true) — trace: main.tf:1-3 — compiler: tf-phi golden
resource "terraform_data" "db" {
  input = "plain"
}
