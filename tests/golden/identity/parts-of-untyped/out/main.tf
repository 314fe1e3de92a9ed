variable "settings" {
  type = any
}

data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "${path.module}/net.tfstate" }
}

locals {
  outputs = data.terraform_remote_state.net.outputs
}

# phi: input (terraform_data.db) — gate: Existing(var.settings.a == "p" && var.settings.b == "q") — trace: main.tf:14-16 — compiler: tf-phi golden
resource "terraform_data" "db_v1" {
  count = var.settings.a == "p" && var.settings.b == "q" ? 1 : 0
  input = "1"
}

# phi: input (terraform_data.db) — gate: Not(Existing(var.settings.a == "p" && var.settings.b == "q")) — trace: main.tf:14-16 — compiler: tf-phi golden
resource "terraform_data" "db_v2" {
  count = var.settings.a == "p" && var.settings.b == "q" ? 0 : 1
  input = "2"
}

# phi: input (terraform_data.cache) — gate: Existing(local.outputs.a == "p" && data.terraform_remote_state.net.outputs["b"] == "q") — trace: main.tf:18-20 — compiler: tf-phi golden
resource "terraform_data" "cache_v1" {
  count = local.outputs.a == "p" && data.terraform_remote_state.net.outputs["b"] == "q" ? 1 : 0
  input = "1"
}

# phi: input (terraform_data.cache) — gate: Not(Existing(local.outputs.a == "p" && data.terraform_remote_state.net.outputs["b"] == "q")) — trace: main.tf:18-20 — compiler: tf-phi golden
resource "terraform_data" "cache_v2" {
  count = local.outputs.a == "p" && data.terraform_remote_state.net.outputs["b"] == "q" ? 0 : 1
  input = "2"
}
