variable "cfg" {
  type = object({
    env  = string
    flag = optional(bool)
  })
}

locals {
  cfg = merge(var.cfg, { extra = "x" })
}

# phi: input (terraform_data.db) — gate: Existing(var.cfg.env == "prod") — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "db_b" {
  count = var.cfg.env == "prod" ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.cfg.env == "prod")) — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "db_c" {
  count = var.cfg.env == "prod" ? 0 : 1
  input = "c"
}
