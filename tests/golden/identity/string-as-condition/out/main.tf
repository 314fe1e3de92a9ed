variable "s" {
  type = string
}

# phi: input (terraform_data.db) — gate: And(Existing(var.s), Existing(var.s == "true")) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_exactly" {
  count = var.s && var.s == "true" ? 1 : 0
  input = "exactly"
}

# phi: input (terraform_data.db) — gate: And(Existing(var.s), Not(Existing(var.s == "true"))) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_converted" {
  count = var.s && !(var.s == "true") ? 1 : 0
  input = "converted"
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.s)) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_no" {
  count = var.s ? 0 : 1
  input = "no"
}
