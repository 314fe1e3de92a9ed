# phi: lifecycle.ignore_changes (terraform_data.uneven) — gate: Existing(true) — trace: modules/uneven/main.tf:3-7 — compiler: tf-phi golden
resource "terraform_data" "uneven" {
  lifecycle {
    ignore_changes = []
  }
}
