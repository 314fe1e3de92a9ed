variable "flag" {
  type    = bool
  default = null
}

# phi: input (terraform_data.r) — gate: Existing(var.flag) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "r_input_true" {
  count = var.flag == true ? 1 : 0
  input = true
}

# phi: input (terraform_data.r) — gate: Not(Existing(var.flag)) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "r_input_false" {
  count = var.flag == false ? 1 : 0
  input = false
}

# phi: input (terraform_data.r) — gate: Eq(var.flag, null) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "r_input_null" {
  count = var.flag == null ? 1 : 0
  input = tobool(null)
}

# phi: input (terraform_data.s) — gate: Existing(coalesce(var.flag, true)) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "s_on" {
  count = coalesce(var.flag, true) ? 1 : 0
  input = "on"
}

# phi: input (terraform_data.s) — gate: Not(Existing(coalesce(var.flag, true))) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "s_off" {
  count = coalesce(var.flag, true) ? 0 : 1
  input = "off"
}
