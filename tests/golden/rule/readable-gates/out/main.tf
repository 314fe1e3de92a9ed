variable "env" {
  type = string
  validation {
    condition     = contains(["dev", "test", "stage", "prod"], var.env)
    error_message = "Not an environment."
  }
}

variable "region" {
  type = string
}

variable "big" {
  type     = bool
  nullable = false
}

# Several values of one selector: a list.
# phi: input (terraform_data.list) — gate: Or(Eq(var.env, "dev"), Eq(var.env, "test")) — trace: main.tf:19-21 — compiler: tf-phi golden
resource "terraform_data" "list_small" {
  count = contains(["dev", "test"], var.env) ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.list) — gate: Or(Eq(var.env, "prod"), Eq(var.env, "stage")) — trace: main.tf:19-21 — compiler: tf-phi golden
resource "terraform_data" "list_large" {
  count = contains(["prod", "stage"], var.env) ? 1 : 0
  input = "large"
}

# One value, and all others.
# phi: input (terraform_data.literal) — gate: Eq(var.env, "dev") — trace: main.tf:24-26 — compiler: tf-phi golden
resource "terraform_data" "literal_small" {
  count = var.env == "dev" ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.literal) — gate: Or(Eq(var.env, "prod"), Eq(var.env, "stage"), Eq(var.env, "test")) — trace: main.tf:24-26 — compiler: tf-phi golden
resource "terraform_data" "literal_large" {
  count = var.env == "dev" ? 0 : 1
  input = "large"
}

# The user's own condition, where it says the same.
# phi: input (terraform_data.original) — gate: Existing(startswith(var.region, "eu-")) — trace: main.tf:29-31 — compiler: tf-phi golden
resource "terraform_data" "original_here" {
  count = startswith(var.region, "eu-") ? 1 : 0
  input = "here"
}

# phi: input (terraform_data.original) — gate: Not(Existing(startswith(var.region, "eu-"))) — trace: main.tf:29-31 — compiler: tf-phi golden
resource "terraform_data" "original_there" {
  count = startswith(var.region, "eu-") ? 0 : 1
  input = "there"
}

# Several selectors: what is left when all that is needless has gone, ("prod" and big) or eu.
# phi: input (terraform_data.form) — gate: input == "a" — trace: main.tf:34-36 — compiler: tf-phi golden
resource "terraform_data" "form_a" {
  count = var.region == "eu" || (var.env == "prod" && var.big) ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.form) — gate: input == "b" — trace: main.tf:34-36 — compiler: tf-phi golden
resource "terraform_data" "form_b" {
  count = var.region == "eu" || (var.env == "prod" && var.big) ? 0 : 1
  input = "b"
}

# The same condition twice, and its negation within.
# phi: input (terraform_data.twice) — gate: Existing(var.big) — trace: main.tf:39-41 — compiler: tf-phi golden
resource "terraform_data" "twice_a" {
  count = var.big ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.twice) — gate: Not(Existing(var.big)) — trace: main.tf:39-41 — compiler: tf-phi golden
resource "terraform_data" "twice_b" {
  count = var.big ? 0 : 1
  input = "b"
}
