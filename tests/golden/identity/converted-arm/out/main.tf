variable "n" {
  type = number
}

variable "c" {
  type = string
}

# phi: input (terraform_data.db) — gate: Existing((var.c == "n" ? var.n : "x") == "5") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v1" {
  count = (var.c == "n" ? var.n : "x") == "5" ? 1 : 0
  input = "1"
}

# phi: input (terraform_data.db) — gate: Not(Existing((var.c == "n" ? var.n : "x") == "5")) — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v2" {
  count = (var.c == "n" ? var.n : "x") == "5" ? 0 : 1
  input = "2"
}
