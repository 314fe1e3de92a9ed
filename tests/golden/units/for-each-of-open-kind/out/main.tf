variable "env" {
  type = string
}

# A set or a map: nothing says which.
variable "names" {}

locals {
  by_name = { for name in var.names : name => name }
}

# phi: input (terraform_data.open) — gate: Existing(var.env == "prod") — trace: main.tf:12-15 — compiler: tf-phi golden
resource "terraform_data" "open_large" {
  for_each = { for each_key, each_value in var.names : each_key => each_value if(var.env == "prod") && length(each_key) >= 0 }
  input    = "large"
}

# phi: input (terraform_data.open) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:12-15 — compiler: tf-phi golden
resource "terraform_data" "open_small" {
  for_each = { for each_key, each_value in var.names : each_key => each_value if(!(var.env == "prod")) && length(each_key) >= 0 }
  input    = "small"
}

# phi: input (terraform_data.known) — gate: Existing(var.env == "prod") — trace: main.tf:17-20 — compiler: tf-phi golden
resource "terraform_data" "known_large" {
  for_each = { for each_key, each_value in local.by_name : each_key => each_value if var.env == "prod" }
  input    = "large"
}

# phi: input (terraform_data.known) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:17-20 — compiler: tf-phi golden
resource "terraform_data" "known_small" {
  for_each = { for each_key, each_value in local.by_name : each_key => each_value if !(var.env == "prod") }
  input    = "small"
}

# phi: triggers_replace (terraform_data.chained) — gate: Existing(var.env == "prod") — trace: main.tf:22-27 — compiler: tf-phi golden
resource "terraform_data" "chained_large" {
  for_each = { for each_key, each_value in merge(terraform_data.known_large, terraform_data.known_small) : each_key => each_value if var.env == "prod" }
  input    = var.env != "prod" ? each.value.id : "none"

  triggers_replace = "large"
}

# phi: triggers_replace (terraform_data.chained) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:22-27 — compiler: tf-phi golden
resource "terraform_data" "chained_small" {
  for_each = { for each_key, each_value in merge(terraform_data.known_large, terraform_data.known_small) : each_key => each_value if !(var.env == "prod") }
  input    = var.env != "prod" ? each.value.id : "none"

  triggers_replace = "small"
}

output "open" {
  value = { for k, v in merge(terraform_data.open_large, terraform_data.open_small) : k => v.output }
}
