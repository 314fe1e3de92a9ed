variable "size" {
  type = number
}

output "engine" {
  value = "mysql"
}

# phi: input (terraform_data.disk) — gate: Eq(var.size, 100) — trace: mysql/main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "disk_v100_GB" {
  count = var.size == 100 ? 1 : 0
  input = "100 GB"
}

# phi: input (terraform_data.disk) — gate: Eq(var.size, 20) — trace: mysql/main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "disk_v20_GB" {
  count = var.size == 20 ? 1 : 0
  input = "20 GB"
}

resource "terraform_data" "backup" {
  input = one(concat(terraform_data.disk_v100_GB[*].id, terraform_data.disk_v20_GB[*].id))
}
