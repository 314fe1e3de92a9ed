variable "env" {
  type = string
}

# phi: input (terraform_data.on), input (terraform_data.v) — gate: Eq(var.env, "a") — trace: m/main.tf:9-11, m/main.tf:13-15 — compiler: tf-phi golden
module "m_input_true_v16" {
  count  = var.env == "a" ? 1 : 0
  source = "./m-input-true-v16"
  on     = var.env == "a"
  v      = var.env == "a" ? "16" : "15"
}

# phi: input (terraform_data.on), input (terraform_data.v) — gate: Not(Existing(var.env == "a")) — trace: m/main.tf:9-11, m/main.tf:13-15 — compiler: tf-phi golden
module "m_input_false_v15" {
  count  = var.env == "a" ? 0 : 1
  source = "./m-input-false-v15"
}

# phi: input (terraform_data.on), input (terraform_data.v) — gate: Eq(var.env, "a") — trace: n/main.tf:9-11, n/main.tf:13-15 — compiler: tf-phi golden
module "n_input_true_v16" {
  count  = var.env == "a" ? 1 : 0
  source = "./n-input-true-v16"
}

# phi: input (terraform_data.on), input (terraform_data.v) — gate: Not(Existing(var.env == "a")) — trace: n/main.tf:9-11, n/main.tf:13-15 — compiler: tf-phi golden
module "n_input_false_v15" {
  count  = var.env == "a" ? 0 : 1
  source = "./n-input-false-v15"
}
