# Every way in which a validation lists the values that it accepts.
locals {
  tiers = ["gold", "iron"]
  sizes = { s = 1, m = 2 }
}

variable "equal" {
  type = string
  validation {
    condition     = var.equal == "a" || "b" == var.equal
    error_message = "a or b."
  }
}

variable "elsewhere" {
  type = string
  validation {
    condition     = contains(local.tiers, var.elsewhere)
    error_message = "One of the tiers."
  }
}

variable "in_a_set" {
  type = string
  validation {
    condition     = contains(toset(["a", "b"]), var.in_a_set)
    error_message = "a or b."
  }
}

variable "any" {
  type = string
  validation {
    condition     = anytrue([for value in ["a", "b"] : var.any == value])
    error_message = "a or b."
  }
}

variable "position" {
  type = string
  validation {
    condition     = index(["a", "b", "c"], var.position) < 2
    error_message = "a or b."
  }
}

variable "key" {
  type = string
  validation {
    condition     = can(local.sizes[var.key])
    error_message = "s or m."
  }
}

variable "looked_up" {
  type = string
  validation {
    condition     = can(lookup(local.sizes, var.looked_up))
    error_message = "s or m."
  }
}

variable "by_default" {
  type = string
  validation {
    condition     = lookup({ s = true, m = true, l = false }, var.by_default, false)
    error_message = "s or m."
  }
}

variable "of_keys" {
  type = string
  validation {
    condition     = contains(keys(local.sizes), var.of_keys)
    error_message = "s or m."
  }
}

variable "pattern" {
  type = string
  validation {
    condition     = can(regex("^(?:dev|prod)$", var.pattern))
    error_message = "dev or prod."
  }
}

variable "conditional" {
  type = string
  validation {
    condition     = var.conditional == "a" ? true : var.conditional == "b"
    error_message = "a or b."
  }
}

# phi: input (terraform_data.equal) — gate: Eq(var.equal, "a") — trace: main.tf:95-97 — compiler: tf-phi golden
resource "terraform_data" "equal_a" {
  count = var.equal == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.equal) — gate: Eq(var.equal, "b") — trace: main.tf:95-97 — compiler: tf-phi golden
resource "terraform_data" "equal_b" {
  count = var.equal == "b" ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.elsewhere) — gate: Eq(var.elsewhere, "gold") — trace: main.tf:99-101 — compiler: tf-phi golden
resource "terraform_data" "elsewhere_gold" {
  count = var.elsewhere == "gold" ? 1 : 0
  input = "gold"
}

# phi: input (terraform_data.elsewhere) — gate: Eq(var.elsewhere, "iron") — trace: main.tf:99-101 — compiler: tf-phi golden
resource "terraform_data" "elsewhere_iron" {
  count = var.elsewhere == "iron" ? 1 : 0
  input = "iron"
}

# phi: input (terraform_data.in_a_set) — gate: Eq(var.in_a_set, "a") — trace: main.tf:103-105 — compiler: tf-phi golden
resource "terraform_data" "in_a_set_a" {
  count = var.in_a_set == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.in_a_set) — gate: Eq(var.in_a_set, "b") — trace: main.tf:103-105 — compiler: tf-phi golden
resource "terraform_data" "in_a_set_b" {
  count = var.in_a_set == "b" ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.any) — gate: Eq(var.any, "a") — trace: main.tf:107-109 — compiler: tf-phi golden
resource "terraform_data" "any_a" {
  count = var.any == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.any) — gate: Eq(var.any, "b") — trace: main.tf:107-109 — compiler: tf-phi golden
resource "terraform_data" "any_b" {
  count = var.any == "b" ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.position) — gate: Eq(var.position, "a") — trace: main.tf:111-113 — compiler: tf-phi golden
resource "terraform_data" "position_a" {
  count = var.position == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.position) — gate: Eq(var.position, "b") — trace: main.tf:111-113 — compiler: tf-phi golden
resource "terraform_data" "position_b" {
  count = var.position == "b" ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.key) — gate: Eq(var.key, "m") — trace: main.tf:115-117 — compiler: tf-phi golden
resource "terraform_data" "key_m" {
  count = var.key == "m" ? 1 : 0
  input = "m"
}

# phi: input (terraform_data.key) — gate: Eq(var.key, "s") — trace: main.tf:115-117 — compiler: tf-phi golden
resource "terraform_data" "key_s" {
  count = var.key == "s" ? 1 : 0
  input = "s"
}

# phi: input (terraform_data.looked_up) — gate: Eq(var.looked_up, "m") — trace: main.tf:119-121 — compiler: tf-phi golden
resource "terraform_data" "looked_up_m" {
  count = var.looked_up == "m" ? 1 : 0
  input = "m"
}

# phi: input (terraform_data.looked_up) — gate: Eq(var.looked_up, "s") — trace: main.tf:119-121 — compiler: tf-phi golden
resource "terraform_data" "looked_up_s" {
  count = var.looked_up == "s" ? 1 : 0
  input = "s"
}

# phi: input (terraform_data.by_default) — gate: Eq(var.by_default, "m") — trace: main.tf:123-125 — compiler: tf-phi golden
resource "terraform_data" "by_default_m" {
  count = var.by_default == "m" ? 1 : 0
  input = "m"
}

# phi: input (terraform_data.by_default) — gate: Eq(var.by_default, "s") — trace: main.tf:123-125 — compiler: tf-phi golden
resource "terraform_data" "by_default_s" {
  count = var.by_default == "s" ? 1 : 0
  input = "s"
}

# phi: input (terraform_data.of_keys) — gate: Eq(var.of_keys, "m") — trace: main.tf:127-129 — compiler: tf-phi golden
resource "terraform_data" "of_keys_m" {
  count = var.of_keys == "m" ? 1 : 0
  input = "m"
}

# phi: input (terraform_data.of_keys) — gate: Eq(var.of_keys, "s") — trace: main.tf:127-129 — compiler: tf-phi golden
resource "terraform_data" "of_keys_s" {
  count = var.of_keys == "s" ? 1 : 0
  input = "s"
}

# phi: input (terraform_data.pattern) — gate: Eq(var.pattern, "dev") — trace: main.tf:131-133 — compiler: tf-phi golden
resource "terraform_data" "pattern_dev" {
  count = var.pattern == "dev" ? 1 : 0
  input = "dev"
}

# phi: input (terraform_data.pattern) — gate: Eq(var.pattern, "prod") — trace: main.tf:131-133 — compiler: tf-phi golden
resource "terraform_data" "pattern_prod" {
  count = var.pattern == "prod" ? 1 : 0
  input = "prod"
}

# phi: input (terraform_data.conditional) — gate: Eq(var.conditional, "a") — trace: main.tf:135-137 — compiler: tf-phi golden
resource "terraform_data" "conditional_a" {
  count = var.conditional == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.conditional) — gate: Eq(var.conditional, "b") — trace: main.tf:135-137 — compiler: tf-phi golden
resource "terraform_data" "conditional_b" {
  count = var.conditional == "b" ? 1 : 0
  input = "b"
}
