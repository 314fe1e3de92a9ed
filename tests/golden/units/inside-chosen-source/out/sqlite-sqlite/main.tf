variable "size" {
  type = number
}

output "engine" {
  value = "sqlite"
}

# One value, whatever happens.
# phi: input (terraform_data.disk) — gate: Existing(true) — trace: sqlite/main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "disk" {
  input = "FILE"
}
