variable "engine" {
  type    = string
  default = null
  validation {
    condition     = var.engine == null || contains(["15.4", "16.2"], coalesce(var.engine, "15.4"))
    error_message = "15.4, 16.2, or nothing."
  }

  # phi: the values that are specialised
  validation {
    condition     = var.engine == null
    error_message = "engine must be null: only the default is specialised. List other values in phi.hcl."
  }
}

# phi: input (terraform_data.db) — gate: Existing(true) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "db" {
  input = "14.9"
}
