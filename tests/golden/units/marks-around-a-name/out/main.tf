variable "env" { type = string }
# phi: input.b (terraform_data.pinned), input.v (terraform_data.pinned) — gate: Eq(var.env, "p") — trace: m/main.tf:7-9 — compiler: tf-phi golden
module "m_b_true_a" {
  count  = var.env == "p" ? 1 : 0
  source = "./m-b-true-a"
}

# phi: input.b (terraform_data.pinned), input.v (terraform_data.pinned) — gate: Not(Existing(var.env == "p")) — trace: m/main.tf:7-9 — compiler: tf-phi golden
module "m_b_false_b" {
  count  = var.env == "p" ? 0 : 1
  source = "./m-b-false-b"
}
