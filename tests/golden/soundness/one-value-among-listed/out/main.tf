variable "v1" {
  # phi: the values that are specialised
  validation {
    condition     = try(contains(["1", "a"], var.v1), false)
    error_message = "v1 must be one of \"1\", \"a\": only these are specialised. Add others to its universe in phi.hcl."
  }
}
# phi: input (terraform_data.a) — gate: Existing(true) — trace: m/main.tf:2-4 — compiler: tf-phi golden
module "c" {
  source = "./m-is-false"
}
