variable "release" {
  type = string
}

# phi: input.version (terraform_data.db) — gate: Eq(var.release, "16.2") — trace: db/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_v16_2" {
  count = var.release == "16.2" ? 1 : 0
  input = { version = "16.2" }
}

# phi: input.version (terraform_data.db) — gate: Eq(var.release, "15.4") — trace: db/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_v15_4" {
  count = var.release == "15.4" ? 1 : 0
  input = { version = "15.4" }
}
