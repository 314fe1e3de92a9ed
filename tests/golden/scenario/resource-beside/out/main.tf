variable "big" {
  type = bool
}

# phi: input (terraform_data.vm) — gate: Existing(var.big) — trace: main.tf:5-12 — compiler: tf-phi golden
resource "terraform_data" "vm_large" {
  count = var.big ? 1 : 0
  # the size
  input = "large"

  lifecycle {
    create_before_destroy = true
  }
}

# phi: input (terraform_data.vm) — gate: Not(Existing(var.big)) — trace: main.tf:5-12 — compiler: tf-phi golden
resource "terraform_data" "vm_small" {
  count = var.big ? 0 : 1
  # the size
  input = "small"

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "after" {
  input      = one(concat(terraform_data.vm_large[*].output, terraform_data.vm_small[*].output))
  depends_on = [terraform_data.vm_large, terraform_data.vm_small]
}
