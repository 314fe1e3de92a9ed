# Several blocks, conjunctions, negations; and conditions that say something of values without listing any.
variable "blocks" {
  type = string
  validation {
    condition     = contains(["a", "b", "c"], var.blocks)
    error_message = "a, b or c."
  }
  validation {
    condition     = var.blocks != "b"
    error_message = "No b."
  }
  validation {
    condition     = !(var.blocks == "d")
    error_message = "No d."
  }
}

variable "and_not" {
  type = string
  validation {
    condition     = contains(["a", "b", "c", "d"], var.and_not) && !contains(["c", "d"], var.and_not)
    error_message = "a or b."
  }
}

variable "not_neither" {
  type = string
  validation {
    condition     = !(var.not_neither != "a" && var.not_neither != "b")
    error_message = "a or b."
  }
}

variable "all" {
  type = string
  validation {
    condition     = alltrue([contains(["a", "b", "c"], var.all), var.all != "c"])
    error_message = "a or b."
  }
}

variable "length" {
  type = string
  validation {
    condition     = contains(["a", "bb", "ccc"], var.length) && length(var.length) < 3
    error_message = "a or bb."
  }
}

variable "beginning" {
  type = string
  validation {
    condition     = contains(["dev", "dev-eu", "prod"], var.beginning)
    error_message = "dev, dev-eu or prod."
  }
  validation {
    condition     = startswith(var.beginning, "dev")
    error_message = "Not in production."
  }
}

# Listed in phi.hcl, and one of them is rejected.
variable "listed" {
  type = string
  validation {
    condition     = length(var.listed) <= 2
    error_message = "Two letters."
  }

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["eu", "us"], var.listed), false)
    error_message = "listed must be one of \"eu\", \"us\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# Null is a value of a bool, but not of this one.
variable "flag" {
  type = bool
  validation {
    condition     = var.flag != null
    error_message = "Yes or no."
  }
}

# What another variable decides is left open.
variable "both" {
  type = string
  validation {
    condition     = contains(["a", "b"], var.both) && (var.both == "a" || length(var.length) == 1)
    error_message = "b asks for a length of one."
  }
}

# phi: input (terraform_data.blocks) — gate: Eq(var.blocks, "a") — trace: main.tf:89-91 — compiler: tf-phi golden
resource "terraform_data" "blocks_a" {
  count = var.blocks == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.blocks) — gate: Eq(var.blocks, "c") — trace: main.tf:89-91 — compiler: tf-phi golden
resource "terraform_data" "blocks_c" {
  count = var.blocks == "c" ? 1 : 0
  input = "c"
}

# phi: input (terraform_data.and_not) — gate: Eq(var.and_not, "a") — trace: main.tf:93-95 — compiler: tf-phi golden
resource "terraform_data" "and_not_a" {
  count = var.and_not == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.and_not) — gate: Eq(var.and_not, "b") — trace: main.tf:93-95 — compiler: tf-phi golden
resource "terraform_data" "and_not_b" {
  count = var.and_not == "b" ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.not_neither) — gate: Eq(var.not_neither, "a") — trace: main.tf:97-99 — compiler: tf-phi golden
resource "terraform_data" "not_neither_a" {
  count = var.not_neither == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.not_neither) — gate: Eq(var.not_neither, "b") — trace: main.tf:97-99 — compiler: tf-phi golden
resource "terraform_data" "not_neither_b" {
  count = var.not_neither == "b" ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.all) — gate: Eq(var.all, "a") — trace: main.tf:101-103 — compiler: tf-phi golden
resource "terraform_data" "all_a" {
  count = var.all == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.all) — gate: Eq(var.all, "b") — trace: main.tf:101-103 — compiler: tf-phi golden
resource "terraform_data" "all_b" {
  count = var.all == "b" ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.length) — gate: Eq(var.length, "a") — trace: main.tf:105-107 — compiler: tf-phi golden
resource "terraform_data" "length_a" {
  count = var.length == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.length) — gate: Eq(var.length, "bb") — trace: main.tf:105-107 — compiler: tf-phi golden
resource "terraform_data" "length_bb" {
  count = var.length == "bb" ? 1 : 0
  input = "bb"
}

# phi: input (terraform_data.beginning) — gate: Eq(var.beginning, "dev") — trace: main.tf:109-111 — compiler: tf-phi golden
resource "terraform_data" "beginning_dev" {
  count = var.beginning == "dev" ? 1 : 0
  input = "dev"
}

# phi: input (terraform_data.beginning) — gate: Eq(var.beginning, "dev-eu") — trace: main.tf:109-111 — compiler: tf-phi golden
resource "terraform_data" "beginning_dev_eu" {
  count = var.beginning == "dev-eu" ? 1 : 0
  input = "dev-eu"
}

# phi: input (terraform_data.listed) — gate: Eq(var.listed, "eu") — trace: main.tf:113-115 — compiler: tf-phi golden
resource "terraform_data" "listed_eu" {
  count = var.listed == "eu" ? 1 : 0
  input = "eu"
}

# phi: input (terraform_data.listed) — gate: Eq(var.listed, "us") — trace: main.tf:113-115 — compiler: tf-phi golden
resource "terraform_data" "listed_us" {
  count = var.listed == "us" ? 1 : 0
  input = "us"
}

# phi: input (terraform_data.flag) — gate: Existing(var.flag) — trace: main.tf:117-119 — compiler: tf-phi golden
resource "terraform_data" "flag_input_true" {
  count = var.flag ? 1 : 0
  input = true
}

# phi: input (terraform_data.flag) — gate: Not(Existing(var.flag)) — trace: main.tf:117-119 — compiler: tf-phi golden
resource "terraform_data" "flag_input_false" {
  count = var.flag ? 0 : 1
  input = false
}

# phi: input (terraform_data.both) — gate: Eq(var.both, "a") — trace: main.tf:121-123 — compiler: tf-phi golden
resource "terraform_data" "both_a" {
  count = var.both == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.both) — gate: Eq(var.both, "b") — trace: main.tf:121-123 — compiler: tf-phi golden
resource "terraform_data" "both_b" {
  count = var.both == "b" ? 1 : 0
  input = "b"
}
