# One branch set over all environments: those of every pattern, in either syntax, with the default.
variable "size" {
  type    = string
  default = "tiny"

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["small", "large", "tiny"], var.size), false)
    error_message = "size must be one of \"small\", \"large\", \"tiny\": only these are specialised. Add others to its universe in phi.hcl."
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

# Null means the default here.
variable "tier" {
  type     = string
  default  = "iron"
  nullable = false

  # phi: the values that are specialised
  validation {
    condition     = contains(["gold", "iron"], var.tier)
    error_message = "tier must be one of \"gold\", \"iron\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# What a validation rejects can't be meant.
variable "engine" {
  type = string
  validation {
    condition     = length(var.engine) == 4
    error_message = "Four characters."
  }

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["15.4", "14.9"], var.engine), false)
    error_message = "engine must be one of \"15.4\", \"14.9\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.size) — gate: Eq(var.size, "small") — trace: main.tf:27-29 — compiler: tf-phi golden
resource "terraform_data" "size_small" {
  count = var.size == "small" ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.size) — gate: Eq(var.size, "large") — trace: main.tf:27-29 — compiler: tf-phi golden
resource "terraform_data" "size_large" {
  count = var.size == "large" ? 1 : 0
  input = "large"
}

# phi: input (terraform_data.size) — gate: Eq(var.size, "tiny") — trace: main.tf:27-29 — compiler: tf-phi golden
resource "terraform_data" "size_tiny" {
  count = var.size == "tiny" ? 1 : 0
  input = "tiny"
}

# phi: input (terraform_data.zones) — gate: Eq(var.zones, ["a"]) — trace: main.tf:31-33 — compiler: tf-phi golden
resource "terraform_data" "zones_v1" {
  count = var.zones == tolist(["a"]) ? 1 : 0
  input = 1
}

# phi: input (terraform_data.zones) — gate: Eq(var.zones, ["a", "b"]) — trace: main.tf:31-33 — compiler: tf-phi golden
resource "terraform_data" "zones_v2" {
  count = var.zones == tolist(["a", "b"]) ? 1 : 0
  input = 2
}

# phi: input (terraform_data.zones) — gate: Eq(var.zones, []) — trace: main.tf:31-33 — compiler: tf-phi golden
resource "terraform_data" "zones_v0" {
  count = var.zones == (false ? tolist([""]) : []) ? 1 : 0
  input = 0
}

# phi: input (terraform_data.tier) — gate: Eq(var.tier, "gold") — trace: main.tf:35-37 — compiler: tf-phi golden
resource "terraform_data" "tier_gold" {
  count = var.tier == "gold" ? 1 : 0
  input = "gold"
}

# phi: input (terraform_data.tier) — gate: Eq(var.tier, "iron") — trace: main.tf:35-37 — compiler: tf-phi golden
resource "terraform_data" "tier_iron" {
  count = var.tier == "iron" ? 1 : 0
  input = "iron"
}

# phi: input (terraform_data.engine) — gate: Eq(var.engine, "15.4") — trace: main.tf:39-41 — compiler: tf-phi golden
resource "terraform_data" "engine_pg_15_4" {
  count = var.engine == "15.4" ? 1 : 0
  input = "pg-15.4"
}

# phi: input (terraform_data.engine) — gate: Eq(var.engine, "14.9") — trace: main.tf:39-41 — compiler: tf-phi golden
resource "terraform_data" "engine_pg_14_9" {
  count = var.engine == "14.9" ? 1 : 0
  input = "pg-14.9"
}

# phi: input (terraform_data.both) — gate: And(Eq(var.size, "small"), Eq(var.tier, "gold")) — trace: main.tf:43-45 — compiler: tf-phi golden
resource "terraform_data" "both_small_gold" {
  count = var.size == "small" && var.tier == "gold" ? 1 : 0
  input = "small-gold"
}

# phi: input (terraform_data.both) — gate: And(Eq(var.size, "small"), Eq(var.tier, "iron")) — trace: main.tf:43-45 — compiler: tf-phi golden
resource "terraform_data" "both_small_iron" {
  count = var.size == "small" && var.tier == "iron" ? 1 : 0
  input = "small-iron"
}

# phi: input (terraform_data.both) — gate: And(Eq(var.size, "large"), Eq(var.tier, "gold")) — trace: main.tf:43-45 — compiler: tf-phi golden
resource "terraform_data" "both_large_gold" {
  count = var.size == "large" && var.tier == "gold" ? 1 : 0
  input = "large-gold"
}

# phi: input (terraform_data.both) — gate: And(Eq(var.size, "large"), Eq(var.tier, "iron")) — trace: main.tf:43-45 — compiler: tf-phi golden
resource "terraform_data" "both_large_iron" {
  count = var.size == "large" && var.tier == "iron" ? 1 : 0
  input = "large-iron"
}

# phi: input (terraform_data.both) — gate: And(Eq(var.size, "tiny"), Eq(var.tier, "gold")) — trace: main.tf:43-45 — compiler: tf-phi golden
resource "terraform_data" "both_tiny_gold" {
  count = var.size == "tiny" && var.tier == "gold" ? 1 : 0
  input = "tiny-gold"
}

# phi: input (terraform_data.both) — gate: And(Eq(var.size, "tiny"), Eq(var.tier, "iron")) — trace: main.tf:43-45 — compiler: tf-phi golden
resource "terraform_data" "both_tiny_iron" {
  count = var.size == "tiny" && var.tier == "iron" ? 1 : 0
  input = "tiny-iron"
}
