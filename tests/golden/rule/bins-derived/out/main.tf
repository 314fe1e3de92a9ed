variable "replicas" {
  type = number

  # phi: the values that are specialised
  validation {
    condition     = ((var.replicas * 2) + 1) <= 10.5
    error_message = "((var.replicas * 2) + 1) must be at most 10.5: what is larger has no bin. Add one in phi.hcl."
  }
}

# phi: input (terraform_data.disk) — gate: Existing(((var.replicas * 2) + 1) <= 3) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "disk_v3" {
  count = ((var.replicas * 2) + 1) <= 3 ? 1 : 0
  input = 3
}

# phi: input (terraform_data.disk) — gate: Existing(((var.replicas * 2) + 1) > 3 && ((var.replicas * 2) + 1) <= 10.5) — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "disk_v10_5" {
  count = ((var.replicas * 2) + 1) > 3 && ((var.replicas * 2) + 1) <= 10.5 ? 1 : 0
  input = 10.5
}
