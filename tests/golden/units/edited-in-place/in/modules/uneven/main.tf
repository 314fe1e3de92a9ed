variable "kind" { type = string }

resource "terraform_data" "uneven" {
  lifecycle {
    ignore_changes = var.kind == "a" ? [input] : var.kind == "b" ? [triggers_replace] : []
  }
}
