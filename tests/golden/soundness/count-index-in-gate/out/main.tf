variable "v2" {
  type = bool

  # phi: the values that are specialised
  validation {
    condition     = var.v2 != null
    error_message = "v2 must be true or false: null is not specialised. Give it a `default = null` if it is meant."
  }
}

variable "v3" {
  type = bool

  # phi: the values that are specialised
  validation {
    condition     = var.v3 != null
    error_message = "v3 must be true or false: null is not specialised. Give it a `default = null` if it is meant."
  }
}

# phi: input (terraform_data.r9) — gate: Existing((var.v3 && var.v2)) — trace: mods/m1/main.tf:5-9 — compiler: tf-phi golden
module "c12_a" {
  count  = var.v3 && var.v2 ? 1 : 0
  source = "./mods/m1-a"
}

# phi: input (terraform_data.r9) — gate: And(Existing(can(regex("^[a-d]", var.p6))), Not(Existing((var.v3 && var.v2)))) — trace: mods/m1/main.tf:5-9 — compiler: tf-phi golden
module "c12_b" {
  count  = var.v3 == null || var.v2 == null || (var.v3 && var.v2) ? 0 : 1
  source = "./mods/m1-b"
}
