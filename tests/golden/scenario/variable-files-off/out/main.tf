variable "pg" {
  type    = string
  default = "15"

  # phi: the values that are specialised
  validation {
    condition     = var.pg == "15"
    error_message = "pg must be \"15\": only the default is specialised. List other values in phi.hcl."
  }
}

# phi: input (terraform_data.engine) — gate: Existing(true) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "engine" {
  input = "15"
}
