variable "env" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["prod", "dev"], var.env), false)
    error_message = "env must be one of \"prod\", \"dev\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.db) — gate: Existing(true) — trace: main.tf:3-5 — compiler: tf-phi golden
resource "terraform_data" "db" {
  input = "known"
}
