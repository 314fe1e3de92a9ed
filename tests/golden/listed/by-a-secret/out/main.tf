variable "key" {
  type      = string
  sensitive = true

  validation {
    condition     = contains(["a", "b"], var.key)
    error_message = "One of a and b."
  }
}

# Told apart by what is sensitive.
# phi: name (aws_secret.by) — gate: Existing(var.key == "a") — trace: main.tf:12-15 — compiler: tf-phi golden
resource "aws_secret" "by_a0_a1" {
  count = var.key == "a" ? 2 : 0
  name  = sensitive(["a0", "a1"][count.index])
}

# phi: name (aws_secret.by) — gate: Existing(var.key == "b") — trace: main.tf:12-15 — compiler: tf-phi golden
resource "aws_secret" "by_b_b" {
  count = var.key == "b" ? 2 : 0
  name  = sensitive(["b", "b"][count.index])
}
