variable "env" {
  type = string
}

variable "size" {
  type     = number
  nullable = false
}

# Functions that answer yes or no are conditions on what they are asked of.
# phi: input (terraform_data.contains) — gate: Existing(contains(["prod", "stage"], var.env)) — trace: main.tf:11-13 — compiler: tf-phi golden
resource "terraform_data" "contains_ha" {
  count = contains(["prod", "stage"], var.env) ? 1 : 0
  input = "ha"
}

# phi: input (terraform_data.contains) — gate: Not(Existing(contains(["prod", "stage"], var.env))) — trace: main.tf:11-13 — compiler: tf-phi golden
resource "terraform_data" "contains_single" {
  count = contains(["prod", "stage"], var.env) ? 0 : 1
  input = "single"
}

# phi: input (terraform_data.startswith) — gate: Existing(startswith(var.env, "prod-")) — trace: main.tf:15-17 — compiler: tf-phi golden
resource "terraform_data" "startswith_ha" {
  count = startswith(var.env, "prod-") ? 1 : 0
  input = "ha"
}

# phi: input (terraform_data.startswith) — gate: Not(Existing(startswith(var.env, "prod-"))) — trace: main.tf:15-17 — compiler: tf-phi golden
resource "terraform_data" "startswith_single" {
  count = startswith(var.env, "prod-") ? 0 : 1
  input = "single"
}

# phi: input (terraform_data.endswith) — gate: Existing(endswith(var.env, "-eu")) — trace: main.tf:19-21 — compiler: tf-phi golden
resource "terraform_data" "endswith_eu" {
  count = endswith(var.env, "-eu") ? 1 : 0
  input = "eu"
}

# phi: input (terraform_data.endswith) — gate: Not(Existing(endswith(var.env, "-eu"))) — trace: main.tf:19-21 — compiler: tf-phi golden
resource "terraform_data" "endswith_us" {
  count = endswith(var.env, "-eu") ? 0 : 1
  input = "us"
}

# phi: input (terraform_data.strcontains) — gate: Existing(strcontains(var.env, "test")) — trace: main.tf:23-25 — compiler: tf-phi golden
resource "terraform_data" "strcontains_small" {
  count = strcontains(var.env, "test") ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.strcontains) — gate: Not(Existing(strcontains(var.env, "test"))) — trace: main.tf:23-25 — compiler: tf-phi golden
resource "terraform_data" "strcontains_large" {
  count = strcontains(var.env, "test") ? 0 : 1
  input = "large"
}

# phi: input (terraform_data.compared) — gate: Existing(var.size > 10 && var.size <= 20) — trace: main.tf:27-29 — compiler: tf-phi golden
resource "terraform_data" "compared_medium" {
  count = var.size > 10 && var.size <= 20 ? 1 : 0
  input = "medium"
}

# phi: input (terraform_data.compared) — gate: Not(Existing(var.size > 10 && var.size <= 20)) — trace: main.tf:27-29 — compiler: tf-phi golden
resource "terraform_data" "compared_other" {
  count = var.size > 10 && var.size <= 20 ? 0 : 1
  input = "other"
}

# phi: input (terraform_data.length) — gate: Existing(length(var.env) == 3) — trace: main.tf:31-33 — compiler: tf-phi golden
resource "terraform_data" "length_short" {
  count = length(var.env) == 3 ? 1 : 0
  input = "short"
}

# phi: input (terraform_data.length) — gate: Not(Existing(length(var.env) == 3)) — trace: main.tf:31-33 — compiler: tf-phi golden
resource "terraform_data" "length_long" {
  count = length(var.env) == 3 ? 0 : 1
  input = "long"
}

# phi: input (terraform_data.matched) — gate: Existing(can(regex("^(dev|test)$", var.env))) — trace: main.tf:35-37 — compiler: tf-phi golden
resource "terraform_data" "matched_small" {
  count = can(regex("^(dev|test)$", var.env)) ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.matched) — gate: Not(Existing(can(regex("^(dev|test)$", var.env)))) — trace: main.tf:35-37 — compiler: tf-phi golden
resource "terraform_data" "matched_large" {
  count = can(regex("^(dev|test)$", var.env)) ? 0 : 1
  input = "large"
}
