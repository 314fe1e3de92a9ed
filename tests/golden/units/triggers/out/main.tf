variable "env" { type = string }
# phi: input (terraform_data.db) — gate: Existing(var.env == "prod") — trace: main.tf:2-4 — compiler: tf-phi golden
resource "terraform_data" "db_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:2-4 — compiler: tf-phi golden
resource "terraform_data" "db_v14_9" {
  count = var.env == "prod" ? 0 : 1
  input = "14.9"
}
# phi: input (terraform_data.many) — gate: Existing(var.env == "prod") — trace: main.tf:5-8 — compiler: tf-phi golden
resource "terraform_data" "many_many" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if var.env == "prod"])
  input    = "many"
}

# phi: input (terraform_data.many) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:5-8 — compiler: tf-phi golden
resource "terraform_data" "many_few" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if !(var.env == "prod")])
  input    = "few"
}
# phi: replace_triggered_by (terraform_data.db) — gate: Existing(var.env == "prod") — trace: main.tf:9-16 — compiler: tf-phi golden
resource "terraform_data" "whole_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = "w"
  lifecycle {
    replace_triggered_by = [
      terraform_data.db_v15_4, # the database
    ]
  }
}

# phi: replace_triggered_by (terraform_data.db) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:9-16 — compiler: tf-phi golden
resource "terraform_data" "whole_v14_9" {
  count = var.env == "prod" ? 0 : 1
  input = "w"
  lifecycle {
    replace_triggered_by = [
      terraform_data.db_v14_9, # the database
    ]
  }
}
# phi: replace_triggered_by (terraform_data.db) — gate: Existing(var.env == "prod") — trace: main.tf:17-21 — compiler: tf-phi golden
resource "terraform_data" "attr_v15_4" {
  count = var.env == "prod" ? 2 : 0
  input = "w"
  lifecycle { replace_triggered_by = [terraform_data.db_v15_4[0].input, resource.terraform_data.whole_v15_4[0].id] }
}

# phi: replace_triggered_by (terraform_data.db) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:17-21 — compiler: tf-phi golden
resource "terraform_data" "attr_v14_9" {
  count = var.env == "prod" ? 0 : 2
  input = "w"
  lifecycle { replace_triggered_by = [terraform_data.db_v14_9[0].input, resource.terraform_data.whole_v14_9[0].id] }
}
# phi: replace_triggered_by (terraform_data.many) — gate: Existing(var.env == "prod") — trace: main.tf:22-26 — compiler: tf-phi golden
resource "terraform_data" "each_many" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if var.env == "prod"])
  input    = "w"
  lifecycle { replace_triggered_by = [terraform_data.many_many[each.key].output] }
}

# phi: replace_triggered_by (terraform_data.many) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:22-26 — compiler: tf-phi golden
resource "terraform_data" "each_few" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if !(var.env == "prod")])
  input    = "w"
  lifecycle { replace_triggered_by = [terraform_data.many_few[each.key].output] }
}
# phi: replace_triggered_by (terraform_data.db) — gate: Existing(var.env == "prod") — trace: main.tf:27-30 — compiler: tf-phi golden
resource "terraform_data" "chain_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = concat(terraform_data.attr_v15_4, terraform_data.attr_v14_9)[0].input
  lifecycle { replace_triggered_by = [terraform_data.attr_v15_4[1]] }
}

# phi: replace_triggered_by (terraform_data.db) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:27-30 — compiler: tf-phi golden
resource "terraform_data" "chain_v14_9" {
  count = var.env == "prod" ? 0 : 1
  input = concat(terraform_data.attr_v15_4, terraform_data.attr_v14_9)[0].input
  lifecycle { replace_triggered_by = [terraform_data.attr_v14_9[1]] }
}
output "o" { value = [one(concat(terraform_data.whole_v15_4[*].input, terraform_data.whole_v14_9[*].input)), concat(terraform_data.attr_v15_4, terraform_data.attr_v14_9)[*].input, merge(terraform_data.each_many, terraform_data.each_few)["a"].input] }
