variable "same" {
  type = string
  validation {
    condition     = contains(["a", "b"], var.same)
    error_message = "a or b."
  }
}
variable "wider" {
  type = string
  validation {
    condition     = contains(["a", "b", "c"], var.wider)
    error_message = "a, b or c."
  }

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["a", "b"], var.wider), false)
    error_message = "wider must be one of \"a\", \"b\": only these are specialised. Add others to its universe in phi.hcl."
  }
}
variable "narrower" {
  type = string
  validation {
    condition     = contains(["a"], var.narrower)
    error_message = "a."
  }
}
variable "pinned" {
  type    = string
  default = "a"
  validation {
    condition     = var.pinned == "a"
    error_message = "a."
  }
}
variable "pinned2" {
  type    = string
  default = "a"
  validation {
    condition     = length(var.pinned2) < 10
    error_message = "short."
  }

  # phi: the values that are specialised
  validation {
    condition     = var.pinned2 == "a"
    error_message = "pinned2 must be \"a\": only the default is specialised. List other values in phi.hcl."
  }
}

# phi: input (terraform_data.a) — gate: Eq(var.same, "a") — trace: main.tf:39-41 — compiler: tf-phi golden
resource "terraform_data" "a_a" {
  count = var.same == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.a) — gate: Eq(var.same, "b") — trace: main.tf:39-41 — compiler: tf-phi golden
resource "terraform_data" "a_b" {
  count = var.same == "b" ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.b) — gate: Eq(var.wider, "a") — trace: main.tf:43-45 — compiler: tf-phi golden
resource "terraform_data" "b_a" {
  count = var.wider == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.b) — gate: Eq(var.wider, "b") — trace: main.tf:43-45 — compiler: tf-phi golden
resource "terraform_data" "b_b" {
  count = var.wider == "b" ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.c) — gate: Existing(true) — trace: main.tf:47-49 — compiler: tf-phi golden
resource "terraform_data" "c" {
  input = "a"
}

# phi: input (terraform_data.d) — gate: Existing(true) — trace: main.tf:51-53 — compiler: tf-phi golden
resource "terraform_data" "d" {
  input = "a"
}

# phi: input (terraform_data.e) — gate: Existing(true) — trace: main.tf:55-57 — compiler: tf-phi golden
resource "terraform_data" "e" {
  input = "a"
}
