variable "env" {
  type    = string
  default="dev"
  nullable=false
  validation {
    condition = contains(["dev", "prod", "test"], var.env)
    error_message = "x"
  }

  # phi: the values that are specialised
  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "env must be one of \"dev\", \"prod\": only these are specialised. Add others to its universe in phi.hcl."
  }
}
# phi: input.v (terraform_data.a) — gate: Eq(var.env, "dev") — trace: main.tf:10-15 — compiler: tf-phi golden
resource "terraform_data" "a_v14_9" {
  count = var.env == "dev" ? (var.env == "prod" ? 2 : 1) : 0
  input = {
    v = "14.9"
  }
}

# phi: input.v (terraform_data.a) — gate: Eq(var.env, "prod") — trace: main.tf:10-15 — compiler: tf-phi golden
resource "terraform_data" "a_v16_2" {
  count = var.env == "prod" ? (var.env == "prod" ? 2 : 1) : 0
  input = {
    v = "16.2"
  }
}
