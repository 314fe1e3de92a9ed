variable "size" {
  type = string
}

# phi: input (terraform_data.disk) — gate: Existing(var.size == "a") — trace: m/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "disk_small" {
  count = var.size == "a" ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.disk) — gate: Not(Existing(var.size == "a")) — trace: m/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "disk_large" {
  count = var.size == "a" ? 0 : 1
  input = "large"
}

output "size" {
  value = one(concat(terraform_data.disk_small[*].input, terraform_data.disk_large[*].input))
}
