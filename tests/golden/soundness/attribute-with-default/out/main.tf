variable "x" {
  type = string
}

module "m" {
  source = "./m"
  cfg    = { v = var.x }
}

# Null is "d" in the module: never "a", and "c" is right for null as well.
# phi: input (terraform_data.x) — gate: And(Existing(module.m.is_null), Existing(var.x == null)) — trace: main.tf:11-13 — compiler: tf-phi golden
resource "terraform_data" "x_a" {
  count = module.m.is_null && var.x == null ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.x) — gate: And(Existing(module.m.is_null), Not(Existing(var.x == null))) — trace: main.tf:11-13 — compiler: tf-phi golden
resource "terraform_data" "x_b" {
  count = module.m.is_null && !(var.x == null) ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.x) — gate: Not(Existing(module.m.is_null)) — trace: main.tf:11-13 — compiler: tf-phi golden
resource "terraform_data" "x_c" {
  count = module.m.is_null ? 0 : 1
  input = "c"
}

# phi: input (terraform_data.y) — gate: Existing(var.x == null && !module.m.is_null) — trace: main.tf:15-17 — compiler: tf-phi golden
resource "terraform_data" "y_filled" {
  count = var.x == null && !module.m.is_null ? 1 : 0
  input = "filled"
}

# phi: input (terraform_data.y) — gate: Not(Existing(var.x == null && !module.m.is_null)) — trace: main.tf:15-17 — compiler: tf-phi golden
resource "terraform_data" "y_given" {
  count = var.x == null && !module.m.is_null ? 0 : 1
  input = "given"
}
