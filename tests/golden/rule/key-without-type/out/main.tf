variable "settings" {
  type = any
}

variable "kind" {}

# The keys have no type; no number and no bool is written like one of the names, so that each is chosen by text alone.
# phi: input (terraform_data.size) — gate: Eq({ small = 1, large = 8 }[var.settings.size], 8) — trace: main.tf:8-10 — compiler: tf-phi golden
resource "terraform_data" "size_v8" {
  count = { small = 1, large = 8 }[var.settings.size] == 8 ? 1 : 0
  input = 8
}

# phi: input (terraform_data.size) — gate: Eq({ small = 1, large = 8 }[var.settings.size], 1) — trace: main.tf:8-10 — compiler: tf-phi golden
resource "terraform_data" "size_v1" {
  count = { small = 1, large = 8 }[var.settings.size] == 1 ? 1 : 0
  input = 1
}

# A value that is listed, and an error that is caught for every other one.
# phi: input (terraform_data.kind) — gate: Eq(var.kind, "a") — trace: main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "kind_first" {
  count = var.kind == "a" ? 1 : 0
  input = "first"
}

# phi: input (terraform_data.kind) — gate: Eq(var.kind, "b") — trace: main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "kind_second" {
  count = var.kind == "b" ? 1 : 0
  input = "second"
}

# phi: input (terraform_data.kind) — gate: Or(Eq(var.kind, "c"), Not(Or(Eq(var.kind, "a"), Eq(var.kind, "b"), Eq(var.kind, "c")))) — trace: main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "kind_none" {
  count = var.kind == "a" || var.kind == "b" ? 0 : 1
  input = "none"
}

# What a function gives depends on the default as well.
variable "zone" {
  type    = string
  default = "b"

  # phi: the values that are specialised
  validation {
    condition     = var.zone == "b"
    error_message = "zone must be \"b\": only the default is specialised. List other values in phi.hcl."
  }
}

# phi: input (terraform_data.zone) — gate: Existing(true) — trace: main.tf:23-25 — compiler: tf-phi golden
resource "terraform_data" "zone" {
  input = "b"
}
