data "external" "account" {
  program = ["account"]
}

# phi: input (terraform_data.db) — gate: Existing(data.external.account.result.kind == "prod") — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_v15_4" {
  count = data.external.account.result.kind == "prod" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.db) — gate: Not(Existing(data.external.account.result.kind == "prod")) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_v14_9" {
  count = data.external.account.result.kind == "prod" ? 0 : 1
  input = "14.9"
}
