# phi: input (terraform_data.leaf) — gate: Existing(true) — trace: leaf-x/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "leaf" {
  input = "leaf x: x"
}
