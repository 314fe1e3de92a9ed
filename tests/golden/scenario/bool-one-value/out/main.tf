variable "frozen" {
  type = bool

  # phi: the values that are specialised
  validation {
    condition     = var.frozen != null
    error_message = "frozen must be true or false: null is not specialised. Give it a `default = null` if it is meant."
  }
}

variable "never_null" {
  type     = bool
  nullable = false
}

# phi: input (terraform_data.app) — gate: Existing(true) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "app" {
  input = "a"
}

# phi: input (terraform_data.plain) — gate: Existing(true) — trace: main.tf:14-16 — compiler: tf-phi golden
resource "terraform_data" "plain" {
  input = "a"
}
