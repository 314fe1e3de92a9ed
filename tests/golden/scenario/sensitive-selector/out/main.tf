variable "secret" {
  type      = bool
  sensitive = true
}

# phi: input (terraform_data.db) — gate: Existing(var.secret) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "db_v15_4" {
  count = var.secret ? 1 : 0
  input = sensitive("15.4")
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.secret)) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "db_v14_9" {
  count = var.secret ? 0 : 1
  input = sensitive("14.9")
}
