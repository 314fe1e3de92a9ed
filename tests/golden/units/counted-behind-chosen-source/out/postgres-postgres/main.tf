# phi: input (terraform_data.disk) — gate: Existing(true) — trace: postgres/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "disk" {
  input = "postgres"
}

resource "terraform_data" "upgrade" {
  count = 1
}

output "upgrades" {
  value = terraform_data.upgrade[*].id
}
