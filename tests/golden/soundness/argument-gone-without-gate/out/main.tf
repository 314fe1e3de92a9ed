variable "v1" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["a", "b"], var.v1), false)
    error_message = "v1 must be one of \"a\", \"b\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.r8) — gate: Eq(var.v1, "a") — trace: mods/m2/main.tf:5-7 — compiler: tf-phi golden
module "outer_a_x" {
  count  = var.v1 == "a" ? 1 : 0
  source = "./mods/m1-a-x"
}

# phi: input (terraform_data.r8) — gate: Eq(var.v1, "b") — trace: mods/m2/main.tf:5-7 — compiler: tf-phi golden
module "outer_b_x" {
  count  = var.v1 == "b" ? 1 : 0
  source = "./mods/m1-b-x"
}
