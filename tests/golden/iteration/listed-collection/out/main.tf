# Its values are listed in phi.hcl alone: a validation has to keep others out, which would have other keys.
variable "zones" {
  type = list(string)

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode([]), jsonencode(["a"]), jsonencode(["a", "b"])], jsonencode(var.zones))
    error_message = "zones must be one of [], [\"a\"], [\"a\", \"b\"]: only these are specialised. Add others to its universe in phi.hcl."
  }
}

variable "sizes" {
  type = map(string)

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode({}), jsonencode({ k1 = "a" }), jsonencode({ k1 = "b", k2 = "a" })], jsonencode(var.sizes))
    error_message = "sizes must be one of {}, { k1 = \"a\" }, { k1 = \"b\", k2 = \"a\" }: only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.zone) — gate: Eq(each.key, "a") — trace: main.tf:10-13 — compiler: tf-phi golden
resource "terraform_data" "zone_zone_a" {
  for_each = toset([for each_key in toset(var.zones) : each_key if each_key == "a"])
  input    = "zone a"
}

# phi: input (terraform_data.zone) — gate: Eq(each.key, "b") — trace: main.tf:10-13 — compiler: tf-phi golden
resource "terraform_data" "zone_zone_b" {
  for_each = toset([for each_key in toset(var.zones) : each_key if each_key == "b"])
  input    = "zone b"
}

module "disk" {
  for_each = var.sizes
  source   = "./m-split"
  size     = each.value
}

output "disks" {
  value = [for d in module.disk : d.size]
}
