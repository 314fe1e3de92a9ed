variable "on" {
  type = bool
}

variable "size" {
  type = string
}

# phi: input (terraform_data.own_count) — gate: Eq({ small = "s", large = "l" }[var.size], "l") — trace: main.tf:9-12 — compiler: tf-phi golden
resource "terraform_data" "own_count_l" {
  count = var.on ? ({ small = "s", large = "l" }[var.size] == "l" ? 2 : 0) : 0
  input = "l"
}

# phi: input (terraform_data.own_count) — gate: Eq({ small = "s", large = "l" }[var.size], "s") — trace: main.tf:9-12 — compiler: tf-phi golden
resource "terraform_data" "own_count_s" {
  count = var.on ? ({ small = "s", large = "l" }[var.size] == "s" ? 2 : 0) : 0
  input = "s"
}

# phi: input (terraform_data.same_condition) — gate: Existing(true) — trace: main.tf:14-17 — compiler: tf-phi golden
resource "terraform_data" "same_condition" {
  count = var.on ? 1 : 0
  input = "here"
}

# phi: input (terraform_data.one_index) — gate: Existing(true) — trace: main.tf:19-22 — compiler: tf-phi golden
resource "terraform_data" "one_index" {
  count = var.on ? 1 : 0
  input = "n0"
}
