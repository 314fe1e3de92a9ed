variable "env" {
  type = string
  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "dev or prod"
  }
}

resource "terraform_data" "replica" {
  count = var.env == "prod" ? 2 : 0
  input = "r${count.index}"
}

resource "terraform_data" "zone" {
  for_each = toset(var.env == "prod" ? ["a", "b"] : ["a"])
  input    = each.key
}

# What the instances are decides; what they hold is never asked.
# phi: input.mode (terraform_data.main), input.zones (terraform_data.main) — gate: Existing(length(terraform_data.replica) > 0) — trace: main.tf:20-26 — compiler: tf-phi golden
resource "terraform_data" "main_cluster_a_b" {
  count = length(terraform_data.replica) > 0 ? 1 : 0
  input = {
    mode    = "cluster"
    zones   = "a-b"
    default = "none"
  }
}

# phi: input.mode (terraform_data.main), input.zones (terraform_data.main) — gate: Not(Existing(length(terraform_data.replica) > 0)) — trace: main.tf:20-26 — compiler: tf-phi golden
resource "terraform_data" "main_single_a" {
  count = length(terraform_data.replica) > 0 ? 0 : 1
  input = {
    mode    = "single"
    zones   = "a"
    default = "none"
  }
}

# phi: input (terraform_data.over) — gate: Existing(each.key == "a") — trace: main.tf:28-31 — compiler: tf-phi golden
resource "terraform_data" "over_first" {
  for_each = { for each_key, each_value in terraform_data.zone : each_key => each_value if each_key == "a" }
  input    = "first"
}

# phi: input (terraform_data.over) — gate: Not(Existing(each.key == "a")) — trace: main.tf:28-31 — compiler: tf-phi golden
resource "terraform_data" "over_other" {
  for_each = { for each_key, each_value in terraform_data.zone : each_key => each_value if !(each_key == "a") }
  input    = "other"
}
