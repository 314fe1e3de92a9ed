variable "on" {
  type = bool
}

variable "name" {
  type = string
}

locals {
  sizes = { a = "one", b = "two" }
}

# Null as a key is an error of `lookup`, which `try` catches.
# phi: input (terraform_data.caught) — gate: Eq(var.name, "a") — trace: main.tf:14-16 — compiler: tf-phi golden
resource "terraform_data" "caught_one" {
  count = var.name == "a" ? 1 : 0
  input = "one"
}

# phi: input (terraform_data.caught) — gate: Eq(var.name, "b") — trace: main.tf:14-16 — compiler: tf-phi golden
resource "terraform_data" "caught_two" {
  count = var.name == "b" ? 1 : 0
  input = "two"
}

# phi: input (terraform_data.caught) — gate: And(Not(Eq(var.name, "a")), Not(Eq(var.name, "b"))) — trace: main.tf:14-16 — compiler: tf-phi golden
resource "terraform_data" "caught_other" {
  count = var.name == null || var.name == "a" || var.name == "b" ? 0 : 1
  input = "other"
}

# phi: input (terraform_data.caught) — gate: Eq(var.name, null) — trace: main.tf:14-16 — compiler: tf-phi golden
resource "terraform_data" "caught_none" {
  count = var.name == null ? 1 : 0
  input = "none"
}

# Where both arms have one type, an error of the other arm changes nothing.
# phi: input (terraform_data.chosen) — gate: Existing(var.on) — trace: main.tf:19-21 — compiler: tf-phi golden
resource "terraform_data" "chosen_big" {
  count = var.on ? 1 : 0
  input = "big"
}

# phi: input (terraform_data.chosen) — gate: And(Not(Existing(var.on)), Eq(var.name, "a")) — trace: main.tf:19-21 — compiler: tf-phi golden
resource "terraform_data" "chosen_one" {
  count = !var.on && var.name == "a" ? 1 : 0
  input = "one"
}

# phi: input (terraform_data.chosen) — gate: And(Not(Existing(var.on)), Eq(var.name, "b")) — trace: main.tf:19-21 — compiler: tf-phi golden
resource "terraform_data" "chosen_two" {
  count = !var.on && var.name == "b" ? 1 : 0
  input = "two"
}

# phi: input (terraform_data.chosen) — gate: And(Not(Existing(var.on)), Not(Eq(var.name, "a")), Not(Eq(var.name, "b"))) — trace: main.tf:19-21 — compiler: tf-phi golden
resource "terraform_data" "chosen_other" {
  count = !var.on && var.name != "a" && var.name != "b" ? 1 : 0
  input = "other"
}
