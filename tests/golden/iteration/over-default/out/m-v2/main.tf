# phi: input (terraform_data.inner) — gate: Existing(true) — trace: m/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "inner" {
  input = 2
}
