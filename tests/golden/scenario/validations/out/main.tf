variable "env" {
  type = string
  validation {
    condition     = can(regex("^(dev|prod)$", var.env))
    error_message = "One of two."
  }
}

variable "tier" {
  type = string
  validation {
    condition     = length(regexall("^(gold|iron)$", var.tier)) > 0
    error_message = "One of two."
  }
}

variable "n" {
  type = number
  validation {
    condition     = var.n >= 1 && var.n <= 3
    error_message = "From 1 to 3."
  }
  validation {
    condition     = floor(var.n) == var.n
    error_message = "A whole number."
  }
}

variable "any" {
  type = string
  validation {
    condition     = anytrue([var.any == "x", var.any == "y"])
    error_message = "One of two."
  }
}

# phi: input (terraform_data.env) — gate: Eq(var.env, "dev") — trace: main.tf:37 — compiler: tf-phi golden
resource "terraform_data" "env_dev" {
  count = var.env == "dev" ? 1 : 0
  input = "dev"
}

# phi: input (terraform_data.env) — gate: Eq(var.env, "prod") — trace: main.tf:37 — compiler: tf-phi golden
resource "terraform_data" "env_prod" {
  count = var.env == "prod" ? 1 : 0
  input = "prod"
}
# phi: input (terraform_data.tier) — gate: Eq(var.tier, "gold") — trace: main.tf:38 — compiler: tf-phi golden
resource "terraform_data" "tier_gold" {
  count = var.tier == "gold" ? 1 : 0
  input = "gold"
}

# phi: input (terraform_data.tier) — gate: Eq(var.tier, "iron") — trace: main.tf:38 — compiler: tf-phi golden
resource "terraform_data" "tier_iron" {
  count = var.tier == "iron" ? 1 : 0
  input = "iron"
}
# phi: input (terraform_data.n) — gate: Eq(var.n, 1) — trace: main.tf:39 — compiler: tf-phi golden
resource "terraform_data" "n_v1" {
  count = var.n == 1 ? 1 : 0
  input = 1
}

# phi: input (terraform_data.n) — gate: Eq(var.n, 2) — trace: main.tf:39 — compiler: tf-phi golden
resource "terraform_data" "n_v2" {
  count = var.n == 2 ? 1 : 0
  input = 2
}

# phi: input (terraform_data.n) — gate: Eq(var.n, 3) — trace: main.tf:39 — compiler: tf-phi golden
resource "terraform_data" "n_v3" {
  count = var.n == 3 ? 1 : 0
  input = 3
}
# phi: input (terraform_data.any) — gate: Eq(var.any, "x") — trace: main.tf:40 — compiler: tf-phi golden
resource "terraform_data" "any_x" {
  count = var.any == "x" ? 1 : 0
  input = "x"
}

# phi: input (terraform_data.any) — gate: Eq(var.any, "y") — trace: main.tf:40 — compiler: tf-phi golden
resource "terraform_data" "any_y" {
  count = var.any == "y" ? 1 : 0
  input = "y"
}

variable "listed" {
  type = string
  validation {
    condition     = can(index(["s", "m", "s"], var.listed))
    error_message = "One of two."
  }
}

# phi: input (terraform_data.listed) — gate: Eq(var.listed, "m") — trace: main.tf:50 — compiler: tf-phi golden
resource "terraform_data" "listed_m" {
  count = var.listed == "m" ? 1 : 0
  input = "m"
}

# phi: input (terraform_data.listed) — gate: Eq(var.listed, "s") — trace: main.tf:50 — compiler: tf-phi golden
resource "terraform_data" "listed_s" {
  count = var.listed == "s" ? 1 : 0
  input = "s"
}
