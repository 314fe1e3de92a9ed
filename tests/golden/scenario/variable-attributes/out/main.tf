variable "cfg" {
  type = object({
    version = string
    size    = number
    db      = object({ engine = string, tags = list(string) })
    guarded = optional(bool)
  })
  default = {
    version = "1.0"
    size    = 10
    db      = { engine = "pg", tags = [] }
  }

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["1.0", "2.0"], var.cfg.version), false)
    error_message = "cfg.version must be one of \"1.0\", \"2.0\": only these are specialised. Add others to its universe in phi.hcl."
  }

  # phi: the values that are specialised
  validation {
    condition     = var.cfg.guarded == null
    error_message = "cfg.guarded must be null: only this value is specialised. Add others to its universe in phi.hcl."
  }

  # phi: the values that are specialised
  validation {
    condition     = var.cfg.db.engine == "pg"
    error_message = "cfg.db.engine must be \"pg\": only this value is specialised. Add others to its universe in phi.hcl."
  }
}

variable "keys" {
  type    = map(string)
  default = { a = "1" }

  # phi: the values that are specialised
  validation {
    condition     = jsonencode(var.keys) == jsonencode({ a = "1" })
    error_message = "keys must be { a = \"1\" }: only the default is specialised. List other values in phi.hcl."
  }
}

locals {
  db = var.cfg.db
}

# phi: input (terraform_data.default) — gate: Existing(true) — trace: main.tf:24-26 — compiler: tf-phi golden
resource "terraform_data" "default" {
  input = "pg"
}

# phi: input (terraform_data.listed) — gate: Eq(var.cfg.version, "1.0") — trace: main.tf:28-30 — compiler: tf-phi golden
resource "terraform_data" "listed_v1_0" {
  count = var.cfg.version == "1.0" ? 1 : 0
  input = "1.0"
}

# phi: input (terraform_data.listed) — gate: Eq(var.cfg.version, "2.0") — trace: main.tf:28-30 — compiler: tf-phi golden
resource "terraform_data" "listed_v2_0" {
  count = var.cfg.version == "2.0" ? 1 : 0
  input = "2.0"
}

# phi: input (terraform_data.bool) — gate: Existing(true) — trace: main.tf:32-34 — compiler: tf-phi golden
resource "terraform_data" "bool" {
  input = tobool(null)
}

# The whole map decides which instances there are.
# phi: input (terraform_data.whole) — gate: Existing(true) — trace: main.tf:37-40 — compiler: tf-phi golden
resource "terraform_data" "whole" {
  for_each = var.keys
  input    = "1"
}
