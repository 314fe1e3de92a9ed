variable "env" { type = string }
# phi: input (terraform_data.db), input (terraform_data.json), input (terraform_data.deep) — gate: Existing(var.env == "prod") — trace: modules/db/main.tf:2, modules/db/more.tf.json:5, modules/db/sub/deep/main.tf:2 — compiler: tf-phi golden
module "db_v15_4_x_15_4" {
  count   = var.env == "prod" ? 1 : 0
  source  = "./modules/db-v15-4-x-15-4"
  release = var.env == "prod" ? "15.4" : "14.9"
}

# phi: input (terraform_data.db), input (terraform_data.json), input (terraform_data.deep) — gate: Not(Existing(var.env == "prod")) — trace: modules/db/main.tf:2, modules/db/more.tf.json:5, modules/db/sub/deep/main.tf:2 — compiler: tf-phi golden
module "db_v14_9_x_14_9" {
  count   = var.env == "prod" ? 0 : 1
  source  = "./modules/db-v14-9-x-14-9"
  release = var.env == "prod" ? "15.4" : "14.9"
}
# phi: input (terraform_data.vm) — gate: Existing(var.env == "prod") — trace: main.tf:6 — compiler: tf-phi golden
resource "terraform_data" "vm_large" {
  count = var.env == "prod" ? 1 : 0
  input = "large"
}

# phi: input (terraform_data.vm) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:6 — compiler: tf-phi golden
resource "terraform_data" "vm_small" {
  count = var.env == "prod" ? 0 : 1
  input = "small"
}
output "all" { value = one(concat(module.db_v15_4_x_15_4[*].all, module.db_v14_9_x_14_9[*].all)) }
