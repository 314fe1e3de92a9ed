# Ranges are finite where the number is whole.
variable "whole" {
  type = number
  validation {
    condition     = var.whole > 0 && var.whole < 4 && var.whole % 1 == 0
    error_message = "1 to 3."
  }
}

variable "rounded" {
  type = number
  validation {
    condition     = !(var.rounded < 2) && 5 > var.rounded && ceil(var.rounded) == var.rounded
    error_message = "2 to 4."
  }
}

variable "of_a_range" {
  type = number
  validation {
    condition     = contains(range(1, 4), var.of_a_range)
    error_message = "1 to 3."
  }
}

variable "two_ranges" {
  type = number
  validation {
    condition     = (var.two_ranges >= 1 && var.two_ranges <= 2) || (var.two_ranges > 9 && var.two_ranges <= 10)
    error_message = "1, 2 or 10."
  }
  validation {
    condition     = floor(var.two_ranges) == var.two_ranges
    error_message = "A whole number."
  }
}

variable "steps" {
  type = number
  validation {
    condition     = contains([10, 20, 25, 30], var.steps) && var.steps % 10 == 0 && var.steps < 30
    error_message = "10 or 20."
  }
}

# phi: input (terraform_data.whole) — gate: Eq(var.whole, 1) — trace: main.tf:46-48 — compiler: tf-phi golden
resource "terraform_data" "whole_v1" {
  count = var.whole == 1 ? 1 : 0
  input = 1
}

# phi: input (terraform_data.whole) — gate: Eq(var.whole, 2) — trace: main.tf:46-48 — compiler: tf-phi golden
resource "terraform_data" "whole_v2" {
  count = var.whole == 2 ? 1 : 0
  input = 2
}

# phi: input (terraform_data.whole) — gate: Eq(var.whole, 3) — trace: main.tf:46-48 — compiler: tf-phi golden
resource "terraform_data" "whole_v3" {
  count = var.whole == 3 ? 1 : 0
  input = 3
}

# phi: input (terraform_data.rounded) — gate: Eq(var.rounded, 2) — trace: main.tf:50-52 — compiler: tf-phi golden
resource "terraform_data" "rounded_v2" {
  count = var.rounded == 2 ? 1 : 0
  input = 2
}

# phi: input (terraform_data.rounded) — gate: Eq(var.rounded, 3) — trace: main.tf:50-52 — compiler: tf-phi golden
resource "terraform_data" "rounded_v3" {
  count = var.rounded == 3 ? 1 : 0
  input = 3
}

# phi: input (terraform_data.rounded) — gate: Eq(var.rounded, 4) — trace: main.tf:50-52 — compiler: tf-phi golden
resource "terraform_data" "rounded_v4" {
  count = var.rounded == 4 ? 1 : 0
  input = 4
}

# phi: input (terraform_data.of_a_range) — gate: Eq(var.of_a_range, 1) — trace: main.tf:54-56 — compiler: tf-phi golden
resource "terraform_data" "of_a_range_v1" {
  count = var.of_a_range == 1 ? 1 : 0
  input = 1
}

# phi: input (terraform_data.of_a_range) — gate: Eq(var.of_a_range, 2) — trace: main.tf:54-56 — compiler: tf-phi golden
resource "terraform_data" "of_a_range_v2" {
  count = var.of_a_range == 2 ? 1 : 0
  input = 2
}

# phi: input (terraform_data.of_a_range) — gate: Eq(var.of_a_range, 3) — trace: main.tf:54-56 — compiler: tf-phi golden
resource "terraform_data" "of_a_range_v3" {
  count = var.of_a_range == 3 ? 1 : 0
  input = 3
}

# phi: input (terraform_data.two_ranges) — gate: Eq(var.two_ranges, 1) — trace: main.tf:58-60 — compiler: tf-phi golden
resource "terraform_data" "two_ranges_v1" {
  count = var.two_ranges == 1 ? 1 : 0
  input = 1
}

# phi: input (terraform_data.two_ranges) — gate: Eq(var.two_ranges, 2) — trace: main.tf:58-60 — compiler: tf-phi golden
resource "terraform_data" "two_ranges_v2" {
  count = var.two_ranges == 2 ? 1 : 0
  input = 2
}

# phi: input (terraform_data.two_ranges) — gate: Eq(var.two_ranges, 10) — trace: main.tf:58-60 — compiler: tf-phi golden
resource "terraform_data" "two_ranges_v10" {
  count = var.two_ranges == 10 ? 1 : 0
  input = 10
}

# phi: input (terraform_data.steps) — gate: Eq(var.steps, 10) — trace: main.tf:62-64 — compiler: tf-phi golden
resource "terraform_data" "steps_v10" {
  count = var.steps == 10 ? 1 : 0
  input = 10
}

# phi: input (terraform_data.steps) — gate: Eq(var.steps, 20) — trace: main.tf:62-64 — compiler: tf-phi golden
resource "terraform_data" "steps_v20" {
  count = var.steps == 20 ? 1 : 0
  input = 20
}
