variable "cfg" {
  type = object({
    env  = string
    flag = optional(bool)
  })
}

locals {
  cfg = merge(var.cfg, { extra = "x" })
}

# phi: input (terraform_data.db) — gate: And(Existing(var.cfg.env == "prod"), Existing(var.cfg.flag == null)) — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "db_a" {
  count = var.cfg.env == "prod" && var.cfg.flag == null ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.db) — gate: And(Existing(var.cfg.env == "prod"), Not(Existing(var.cfg.flag == null))) — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "db_b" {
  count = var.cfg.env == "prod" && var.cfg.flag != null ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.cfg.env == "prod")) — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "db_c" {
  count = var.cfg.env == "prod" ? 0 : 1
  input = "c"
}
