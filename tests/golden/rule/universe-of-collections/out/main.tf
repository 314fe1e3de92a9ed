variable "sizes" {
  type = map(string)

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode({ a = "small" }), jsonencode({ a = "large", b = "small" }), jsonencode({})], jsonencode(var.sizes))
    error_message = "sizes must be one of { a = \"small\" }, { a = \"large\", b = \"small\" }, {}: only these are specialised. Add others to its universe in phi.hcl."
  }
}

variable "zones" {
  type = list(string)

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode(["a"]), jsonencode(["a", "b"]), jsonencode([])], jsonencode(var.zones))
    error_message = "zones must be one of [\"a\"], [\"a\", \"b\"], []: only these are specialised. Add others to its universe in phi.hcl."
  }
}

# One copy per map that is listed; each has all the keys of it.
# phi: input (terraform_data.sized) — gate: Eq(each.value, "small") — trace: main.tf:10-14 — compiler: tf-phi golden
resource "terraform_data" "sized_small" {
  for_each = { for each_key, each_value in var.sizes : each_key => each_value if each_key != null ? each_value == "small" : false }

  input = "small"
}

# phi: input (terraform_data.sized) — gate: Eq(each.value, "large") — trace: main.tf:10-14 — compiler: tf-phi golden
resource "terraform_data" "sized_large" {
  for_each = { for each_key, each_value in var.sizes : each_key => each_value if each_key != null ? each_value == "large" : false }

  input = "large"
}

# phi: input (terraform_data.zoned) — gate: Existing(length(var.zones) == 0) — trace: main.tf:16-18 — compiler: tf-phi golden
resource "terraform_data" "zoned_nowhere" {
  count = length(var.zones) == 0 ? 1 : 0
  input = "nowhere"
}

# phi: input (terraform_data.zoned) — gate: Eq(var.zones, ["a"]) — trace: main.tf:16-18 — compiler: tf-phi golden
resource "terraform_data" "zoned_a" {
  count = var.zones == tolist(["a"]) ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.zoned) — gate: Eq(var.zones, ["a", "b"]) — trace: main.tf:16-18 — compiler: tf-phi golden
resource "terraform_data" "zoned_a_b" {
  count = var.zones == tolist(["a", "b"]) ? 1 : 0
  input = "a-b"
}
