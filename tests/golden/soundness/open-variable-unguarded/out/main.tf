variable "v1" {
  type = string
}
variable "v2" {
  type = string
  default = "prod"

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["prod", "15.4"], var.v2), false)
    error_message = "v2 must be one of \"prod\", \"15.4\": only these are specialised. Add others to its universe in phi.hcl."
  }
}
variable "v3" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["a", "b", "dev"], var.v3), false)
    error_message = "v3 must be one of \"a\", \"b\", \"dev\": only these are specialised. Add others to its universe in phi.hcl."
  }
}
# phi: input (terraform_data.r4) — gate: And(Existing((var.v1 == "b")), Eq(var.v2, "prod")) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "r4_prod" {
  count            = (var.v1 == "b") && var.v2 == "prod" ? 1 : 0
  input            = "prod"
  triggers_replace = "m0.r4"
}

# phi: input (terraform_data.r4) — gate: And(Existing((var.v1 == "b")), Eq(var.v2, "15.4")) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "r4_v15_4" {
  count            = (var.v1 == "b") && var.v2 == "15.4" ? 1 : 0
  input            = "15.4"
  triggers_replace = "m0.r4"
}

# phi: input (terraform_data.r4) — gate: And(Not(Existing((var.v1 == "b"))), Eq(var.v3, "a")) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "r4_a" {
  count            = !(var.v1 == "b") && var.v3 == "a" ? 1 : 0
  input            = "a"
  triggers_replace = "m0.r4"
}

# phi: input (terraform_data.r4) — gate: And(Not(Existing((var.v1 == "b"))), Eq(var.v3, "b")) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "r4_b" {
  count            = !(var.v1 == "b") && var.v3 == "b" ? 1 : 0
  input            = "b"
  triggers_replace = "m0.r4"
}

# phi: input (terraform_data.r4) — gate: And(Not(Existing((var.v1 == "b"))), Eq(var.v3, "dev")) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "r4_dev" {
  count            = !(var.v1 == "b") && var.v3 == "dev" ? 1 : 0
  input            = "dev"
  triggers_replace = "m0.r4"
}
