variable "db" {
  type = object({ class = string, size = optional(number), backup = optional(bool, true) })

  # phi: the values that are specialised
  validation {
    condition     = contains([jsonencode({ backup = true, class = "small", size = null }), jsonencode({ backup = true, class = "large", size = 5 }), jsonencode({ backup = false, class = "small", size = null })], jsonencode(var.db))
    error_message = "db must be one of { backup = true, class = \"small\", size = null }, { backup = true, class = \"large\", size = 5 }, { backup = false, class = \"small\", size = null }: only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.r) — gate: Eq(var.db.backup ? upper(var.db.class) : var.db.class, "SMALL") — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "r_SMALL_b8864b" {
  count = (var.db.backup ? upper(var.db.class) : var.db.class) == "SMALL" ? 1 : 0
  input = "SMALL"
}

# phi: input (terraform_data.r) — gate: Eq(var.db.backup ? upper(var.db.class) : var.db.class, "LARGE") — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "r_LARGE" {
  count = (var.db.backup ? upper(var.db.class) : var.db.class) == "LARGE" ? 1 : 0
  input = "LARGE"
}

# phi: input (terraform_data.r) — gate: Eq(var.db.backup ? upper(var.db.class) : var.db.class, "small") — trace: main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "r_small_77bb10" {
  count = (var.db.backup ? upper(var.db.class) : var.db.class) == "small" ? 1 : 0
  input = "small"
}
