variable "size" {
  type = number
}

output "engine" {
  value = "postgres"
}

# The same name, and another choice.
# phi: input (terraform_data.disk) — gate: Existing(var.size > 50) — trace: postgres/main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "disk_fast" {
  count = var.size > 50 ? 1 : 0
  input = "fast"
}

# phi: input (terraform_data.disk) — gate: Not(Existing(var.size > 50)) — trace: postgres/main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "disk_slow" {
  count = var.size > 50 ? 0 : 1
  input = "slow"
}
