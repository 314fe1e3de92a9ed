# phi: input (terraform_data.a) — gate: Existing(true) — trace: m/main.tf:2-4 — compiler: tf-phi golden
resource "terraform_data" "a" {
  input = "is false"
}
