variable "env" {
  type = string
}

variable "tier" {
  type = string
}

# The argument is an error wherever b is chosen, so that nobody reads it there.
# phi: source (module.db) — gate: Existing(var.env == "prod") — trace: main.tf:10-13 — compiler: tf-phi golden
module "db_a" {
  count  = var.env == "prod" ? 1 : 0
  source = "./a"
  v      = var.env == "prod" ? "15.4" : var.tier == "l" ? false : 1
}

# phi: source (module.db) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:10-13 — compiler: tf-phi golden
module "db_b" {
  count  = var.env == "prod" ? 0 : 1
  source = "./b"
  v      = var.env == "prod" ? "15.4" : var.tier == "l" ? false : 1
}
