variable "a" {
  type = string
}

variable "b" {
  type = string
}

# phi: input (terraform_data.db) — gate: Existing(reverse([var.a, var.b])[0] == "x") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v1" {
  count = reverse([var.a, var.b])[0] == "x" ? 1 : 0
  input = "1"
}

# phi: input (terraform_data.db) — gate: Not(Existing(reverse([var.a, var.b])[0] == "x")) — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v2" {
  count = reverse([var.a, var.b])[0] == "x" ? 0 : 1
  input = "2"
}
