variable "env" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = var.env == "dev"
    error_message = "env must be \"dev\": only this value is specialised. Add others to its universe in phi.hcl."
  }
}

# Where the environment is "prod", the object in JSON has a key twice, which is an error there: no branch holds it.
# phi: input (terraform_data.db) — gate: Eq(var.env, "dev") — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "db_v15_4" {
  count = var.env == "dev" ? 1 : 0
  input = "15.4"
}
