variable "leaf" {
  type = string
}

# phi: input (terraform_data.b) — gate: Eq(var.leaf, "x") — trace: outer/b/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "b_b_of_x" {
  count = var.leaf == "x" ? 1 : 0
  input = "b of x"
}

# phi: input (terraform_data.b) — gate: Eq(var.leaf, "y") — trace: outer/b/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "b_b_of_y" {
  count = var.leaf == "y" ? 1 : 0
  input = "b of y"
}
