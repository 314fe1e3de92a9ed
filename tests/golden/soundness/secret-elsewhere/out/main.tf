variable "secret" {
  type      = bool
  nullable  = false
  sensitive = true
}

variable "kind" {
  type = string

  validation {
    condition     = contains(["chosen", "plain"], var.kind)
    error_message = "chosen or plain."
  }
}

# A secret where `kind` is "chosen", and none where it is "plain".
# phi: input (terraform_data.each) — gate: And(Eq(var.kind, "chosen"), Existing(var.secret)) — trace: m/main.tf:6-9 — compiler: tf-phi golden
module "m_a_X" {
  count  = var.kind == "chosen" && var.secret ? 1 : 0
  source = "./m-a-X"
  name   = try({ chosen = var.secret ? "a" : "b" }[var.kind], "none")
}

# phi: input (terraform_data.each) — gate: And(Eq(var.kind, "chosen"), Not(Existing(var.secret))) — trace: m/main.tf:6-9 — compiler: tf-phi golden
module "m_b_X" {
  count  = var.kind == "chosen" && !var.secret ? 1 : 0
  source = "./m-b-X"
  name   = try({ chosen = var.secret ? "a" : "b" }[var.kind], "none")
}

# phi: input (terraform_data.each) — gate: Eq(var.kind, "plain") — trace: m/main.tf:6-9 — compiler: tf-phi golden
module "m_none_X" {
  count  = var.kind == "plain" ? 1 : 0
  source = "./m-none-X"
  name   = try({ chosen = var.secret ? "a" : "b" }[var.kind], "none")
}
