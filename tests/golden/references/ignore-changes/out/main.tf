variable "frozen" {
  type    = bool
  default = false
}

variable "size" {
  type    = string
  default = "small"
}

# phi: lifecycle.ignore_changes (terraform_data.app) — gate: Existing(var.frozen) — trace: main.tf:11-18 — compiler: tf-phi golden
resource "terraform_data" "app_input_triggers_replace_0" {
  count            = var.frozen ? 1 : 0
  input            = var.size
  triggers_replace = [var.size]

  lifecycle {
    ignore_changes = [input, triggers_replace[0]] # frozen by the operator
  }
}

# phi: lifecycle.ignore_changes (terraform_data.app) — gate: Not(Existing(var.frozen)) — trace: main.tf:11-18 — compiler: tf-phi golden
resource "terraform_data" "app_ignore_changes_empty" {
  count            = var.frozen ? 0 : 1
  input            = var.size
  triggers_replace = [var.size]

  lifecycle {
    ignore_changes = [] # frozen by the operator
  }
}

output "size" {
  value = one(concat(terraform_data.app_input_triggers_replace_0[*].output, terraform_data.app_ignore_changes_empty[*].output))
}
