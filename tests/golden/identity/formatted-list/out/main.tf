variable "a" {
  type = string
}

# phi: input (terraform_data.db) — gate: Existing(formatlist("p-%s", [var.a, "b"])[0] == "p-x") — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_v1" {
  count = formatlist("p-%s", [var.a, "b"])[0] == "p-x" ? 1 : 0
  input = "1"
}

# phi: input (terraform_data.db) — gate: Not(Existing(formatlist("p-%s", [var.a, "b"])[0] == "p-x")) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "db_v2" {
  count = formatlist("p-%s", [var.a, "b"])[0] == "p-x" ? 0 : 1
  input = "2"
}
