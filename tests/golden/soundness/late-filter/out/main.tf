variable "sizes" {
  type = map(string)

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode({}), jsonencode({ k1 = "a" }), jsonencode({ k1 = "b", k2 = "a" })], jsonencode(var.sizes))
    error_message = "sizes must be one of {}, { k1 = \"a\" }, { k1 = \"b\", k2 = \"a\" }: only these are specialised. Add others to its universe in phi.hcl."
  }
}

variable "limits" {
  type    = object({ least = optional(number) })
  default = {}

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode({ least = null }), jsonencode({ least = 5 }), jsonencode({ least = 20 })], jsonencode(var.limits))
    error_message = "limits must be one of { least = null }, { least = 5 }, { least = 20 }: only these are specialised. Add others to its universe in phi.hcl."
  }
}

# Without sizes nobody looks at the limits, which may be null: a `for` looks at its clause before any element.
# phi: input (terraform_data.app) — gate: Existing(var.limits.least >= 15) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "app_large" {
  for_each = { for each_key, each_value in var.sizes : each_key => each_value if each_key != null ? var.limits.least >= 15 : false }
  input    = "large"
}

# phi: input (terraform_data.app) — gate: And(Not(Existing(var.limits.least >= 15)), Existing(each.value == "b")) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "app_medium" {
  for_each = { for each_key, each_value in var.sizes : each_key => each_value if each_key != null ? (var.limits.least >= 15 ? false : each_value == "b") : false }
  input    = "medium"
}

# phi: input (terraform_data.app) — gate: And(Not(Existing(var.limits.least >= 15)), Not(Existing(each.value == "b"))) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "app_small" {
  for_each = { for each_key, each_value in var.sizes : each_key => each_value if each_key != null ? (var.limits.least >= 15 ? false : !(each_value == "b")) : false }
  input    = "small"
}
