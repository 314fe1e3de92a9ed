# phi: input (terraform_data.disk) — gate: Existing(true) — trace: mysql/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "disk" {
  input = "mysql"
}

resource "terraform_data" "upgrade" {
  count = 0
}

output "upgrades" {
  value = terraform_data.upgrade[*].id
}
