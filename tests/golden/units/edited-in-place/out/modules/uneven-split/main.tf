variable "kind" { type = string }

# phi: lifecycle.ignore_changes (terraform_data.uneven) — gate: Existing(var.kind == "a") — trace: modules/uneven/main.tf:3-7 — compiler: tf-phi golden
resource "terraform_data" "uneven_input" {
  count = var.kind == "a" ? 1 : 0
  lifecycle {
    ignore_changes = [input]
  }
}

# phi: lifecycle.ignore_changes (terraform_data.uneven) — gate: Not(Existing(var.kind == "a")) — trace: modules/uneven/main.tf:3-7 — compiler: tf-phi golden
resource "terraform_data" "uneven_triggers_replace" {
  count = var.kind == "a" ? 0 : 1
  lifecycle {
    ignore_changes = [triggers_replace]
  }
}
