variable "env" { type = string }

# phi: input (terraform_data.db) — gate: Existing(var.env == "prod") — trace: db/main.tf:3-5 — compiler: tf-phi golden
module "db_v15_4" {
  count  = var.env == "prod" ? 1 : 0
  source = "./db-v15-4"
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.env == "prod")) — trace: db/main.tf:3-5 — compiler: tf-phi golden
module "db_v14_9" {
  count  = var.env == "prod" ? 0 : 1
  source = "./db-v14-9"
}

# phi: input (terraform_data.vm) — gate: Existing(var.env == "prod") — trace: main.tf:8-11 — compiler: tf-phi golden
resource "terraform_data" "vm_large" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if var.env == "prod"])
  input    = "large"
}

# phi: input (terraform_data.vm) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:8-11 — compiler: tf-phi golden
resource "terraform_data" "vm_small" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if !(var.env == "prod")])
  input    = "small"
}
