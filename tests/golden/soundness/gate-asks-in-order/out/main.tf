variable "none" {
  type     = bool
  nullable = false
}

variable "zones" {
  type    = string
  default = null
}

# Where there is none, the list is not asked for: split(",", null) would be an error.
# phi: input (terraform_data.zones) — gate: Existing(var.none) — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "zones_none" {
  count = var.none ? 1 : 0
  input = "none"
}

# phi: input (terraform_data.zones) — gate: And(Not(Existing(var.none)), Existing(length(split(",", var.zones)) > 1)) — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "zones_a_b" {
  count = (var.none ? false : length(split(",", var.zones)) > 1) ? 1 : 0
  input = "a-b"
}

# phi: input (terraform_data.zones) — gate: And(Not(Existing(var.none)), Not(Existing(length(split(",", var.zones)) > 1))) — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "zones_a" {
  count = (var.none ? false : !(length(split(",", var.zones)) > 1)) ? 1 : 0
  input = "a"
}
