variable "flag" {
  type = bool
}

# phi: input (terraform_data.db) — gate: Existing(var.flag == null) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_unset" {
  count = var.flag == null ? 1 : 0
  input = "unset"
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.flag == null)) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_set" {
  count = var.flag == null ? 0 : 1
  input = "set"
}
