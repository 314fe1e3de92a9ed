variable "postgres_version" {
  type    = string
  default = "15.4"

  # phi: the values that are specialised
  validation {
    condition     = var.postgres_version == "15.4"
    error_message = "postgres_version must be \"15.4\": only the default is specialised. List other values in phi.hcl."
  }
}

# phi: input (terraform_data.db) — gate: Existing(true) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "db" {
  input = "pg-15.4"
}
