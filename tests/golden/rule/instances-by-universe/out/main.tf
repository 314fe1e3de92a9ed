variable "zones" {
  type = map(string)

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode({}), jsonencode({ k1 = "a" }), jsonencode({ k1 = "b", k2 = "a" })], jsonencode(var.zones))
    error_message = "zones must be one of {}, { k1 = \"a\" }, { k1 = \"b\", k2 = \"a\" }: only these are specialised. Add others to its universe in phi.hcl."
  }
}

module "zone" {
  source   = "./m"
  for_each = var.zones
  size     = each.value
}

# Which instances there are is known for the maps that are listed; a guard keeps others out.
# phi: input (terraform_data.first) — gate: Eq(var.zones, {}) — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "first_none" {
  count = var.zones == (false ? tomap({ a = "" }) : {}) ? 1 : 0
  input = "none"
}

# phi: input (terraform_data.first) — gate: Eq(var.zones, { k1 = "a" }) — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "first_a" {
  count = var.zones == tomap({ k1 = "a" }) ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.first) — gate: Eq(var.zones, { k1 = "b", k2 = "a" }) — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "first_b" {
  count = var.zones == tomap({ k1 = "b", k2 = "a" }) ? 1 : 0
  input = "b"
}
