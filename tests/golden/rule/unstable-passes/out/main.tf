variable "prod" {
  type = bool
}

# phi: input (terraform_data.db) — gate: Existing(var.prod) — trace: main.tf:5-8 — compiler: tf-phi golden
resource "terraform_data" "db_v15_4" {
  count            = var.prod ? 1 : 0
  input            = "15.4"
  triggers_replace = timestamp()
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.prod)) — trace: main.tf:5-8 — compiler: tf-phi golden
resource "terraform_data" "db_v14_9" {
  count            = var.prod ? 0 : 1
  input            = "14.9"
  triggers_replace = timestamp()
}
