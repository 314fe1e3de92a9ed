variable "env" {
  type = string
}

variable "create" {
  type    = bool
  default = true
}

# phi: input.release (terraform_data.db) — gate: Existing(var.env == "prod") — trace: db/main.tf:9-11 — compiler: tf-phi golden
module "db_v15_4" {
  source   = "./db-v15-4"
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if var.env == "prod"])
  name     = each.key
}

# phi: input.release (terraform_data.db) — gate: Not(Existing(var.env == "prod")) — trace: db/main.tf:9-11 — compiler: tf-phi golden
module "db_v16_2" {
  source   = "./db-v16-2"
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if !(var.env == "prod")])
  name     = each.key
}

# phi: input (terraform_data.vm) — gate: Existing(var.env == "prod") — trace: main.tf:17-20 — compiler: tf-phi golden
resource "terraform_data" "vm_large" {
  count = var.env == "prod" ? (var.create ? 2 : 0) : 0
  input = "large"
}

# phi: input (terraform_data.vm) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:17-20 — compiler: tf-phi golden
resource "terraform_data" "vm_small" {
  count = var.env == "prod" ? 0 : (var.create ? 2 : 0)
  input = "small"
}

# phi: input (terraform_data.per_key) — gate: Or(Eq(each.key, "x"), Eq(each.key, "z")) — trace: main.tf:22-25 — compiler: tf-phi golden
resource "terraform_data" "per_key_v1" {
  for_each = { for each_key, each_value in { x = "1", y = "2", z = "1" } : each_key => each_value if !(each_key == "y") }
  input    = "1"
}

# phi: input (terraform_data.per_key) — gate: Eq(each.key, "y") — trace: main.tf:22-25 — compiler: tf-phi golden
resource "terraform_data" "per_key_v2" {
  for_each = { for each_key, each_value in { x = "1", y = "2", z = "1" } : each_key => each_value if each_key == "y" }
  input    = "2"
}

output "all" {
  value = {
    a    = merge(module.db_v15_4, module.db_v16_2)["a"].id
    all  = { for k, db in merge(module.db_v15_4, module.db_v16_2) : k => db.id }
    vms  = concat(terraform_data.vm_large, terraform_data.vm_small)[*].output
    one  = concat(terraform_data.vm_large, terraform_data.vm_small)[0].output
    keys = keys(merge(terraform_data.per_key_v1, terraform_data.per_key_v2))
    x    = merge(terraform_data.per_key_v1, terraform_data.per_key_v2)["x"].output
  }
}
