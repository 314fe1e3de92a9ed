variable "leaf" {
  type = string
}

# phi: input (terraform_data.b) — gate: Eq("b of ${var.leaf}", "b of x") — trace: outer/b/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "b_b_of_x" {
  count = "b of ${var.leaf}" == "b of x" ? 1 : 0
  input = "b of x"
}

# phi: input (terraform_data.b) — gate: Eq("b of ${var.leaf}", "b of y") — trace: outer/b/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "b_b_of_y" {
  count = "b of ${var.leaf}" == "b of y" ? 1 : 0
  input = "b of y"
}
