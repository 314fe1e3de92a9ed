variable "zoned" {
  type     = bool
  nullable = false
}

variable "zones" {
  type    = string
  default = null
}

variable "large" {
  type     = bool
  nullable = false
}

locals {
  # `[]` becomes a list, and stays a tuple beside the error of a text that is null.
  pool = merge(
    { size = 1, zones = var.zoned ? split(",", var.zones) : [] },
    { size = var.large ? 5 : 3 },
  )
}

# phi: input (terraform_data.pool) — gate: Or(And(Existing(var.zoned), Existing(var.large)), And(Not(Existing(var.zoned)), Existing(var.large))) — trace: main.tf:24-26 — compiler: tf-phi golden
resource "terraform_data" "pool_v5" {
  count = var.large ? 1 : 0
  input = 5
}

# phi: input (terraform_data.pool) — gate: Or(And(Existing(var.zoned), Not(Existing(var.large))), And(Not(Existing(var.zoned)), Not(Existing(var.large)))) — trace: main.tf:24-26 — compiler: tf-phi golden
resource "terraform_data" "pool_v3" {
  count = !var.large ? 1 : 0
  input = 3
}

# phi: input (terraform_data.mode) — gate: Existing(true) — trace: main.tf:28-30 — compiler: tf-phi golden
resource "terraform_data" "mode" {
  input = "none"
}
