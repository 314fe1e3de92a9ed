variable "env" { type = string }

locals {
  settings = yamldecode(file("${path.module}/settings.yaml"))
}

# phi: input (terraform_data.db) — gate: Existing(var.env == "prod") — trace: main.tf:7-9 — compiler: tf-phi golden
resource "terraform_data" "db_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:7-9 — compiler: tf-phi golden
resource "terraform_data" "db_v14_9" {
  count = var.env == "prod" ? 0 : 1
  input = "14.9"
}
