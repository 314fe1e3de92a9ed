# phi: input (terraform_data.r) — gate: Existing(true) — trace: main.tf:1-4 — compiler: tf-phi golden
resource "terraform_data" "r" {
  count = 2
  input = ["n0", "n1"][count.index]
}
