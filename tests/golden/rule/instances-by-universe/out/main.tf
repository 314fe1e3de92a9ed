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
# phi: input (terraform_data.first) — gate: Eq(try([for zone in module.zone : zone.size][0], "none"), "none") — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "first_none" {
  count = try([for zone in module.zone : zone.size][0], "none") == "none" ? 1 : 0
  input = "none"
}

# phi: input (terraform_data.first) — gate: Eq(try([for zone in module.zone : zone.size][0], "none"), "a") — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "first_a" {
  count = try([for zone in module.zone : zone.size][0], "none") == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.first) — gate: Eq(try([for zone in module.zone : zone.size][0], "none"), "b") — trace: main.tf:12-14 — compiler: tf-phi golden
resource "terraform_data" "first_b" {
  count = try([for zone in module.zone : zone.size][0], "none") == "b" ? 1 : 0
  input = "b"
}
