variable "size" {
  type = number

  validation {
    condition     = var.size >= 1 && var.size <= 100 && floor(var.size) == var.size
    error_message = "size must be a whole number from 1 to 100."
  }

  # phi: the values that are specialised
  validation {
    condition     = var.size <= 100
    error_message = "var.size must be at most 100: what is larger has no bin. Add one in phi.hcl."
  }
}

# phi: input (terraform_data.disk) — gate: Existing(var.size <= 10) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "disk_v10" {
  count = var.size <= 10 ? 1 : 0
  input = 10
}

# phi: input (terraform_data.disk) — gate: Existing(var.size > 10 && var.size <= 50) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "disk_v50" {
  count = var.size > 10 && var.size <= 50 ? 1 : 0
  input = 50
}

# phi: input (terraform_data.disk) — gate: Existing(var.size > 50 && var.size <= 100) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "disk_v100" {
  count = var.size > 50 && var.size <= 100 ? 1 : 0
  input = 100
}
