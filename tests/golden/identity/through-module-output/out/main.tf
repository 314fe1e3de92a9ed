variable "env" {
  type = string
}

module "names" {
  source = "./names"
  env    = var.env
}

# phi: input (terraform_data.db) — gate: Existing(module.names.tier == "high") — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "db_v15_4" {
  count = module.names.tier == "high" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.db) — gate: Not(Existing(module.names.tier == "high")) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "db_v14_9" {
  count = module.names.tier == "high" ? 0 : 1
  input = "14.9"
}
