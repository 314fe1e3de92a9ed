variable "cidr" { type = string }

variable "protect" {
  type    = bool
  default = false
}

variable "pinned" { type = string }

variable "drift" { type = bool }

# phi: lifecycle.prevent_destroy (terraform_data.net) — gate: Not(Existing(var.protect)) — trace: modules/net/main.tf:12-19 — compiler: tf-phi golden
resource "terraform_data" "net_prevent_destroy_false" {
  count = var.protect ? 0 : (var.cidr == "" ? 0 : 1)
  input = var.cidr

  lifecycle {
    prevent_destroy = false
  }
}

# phi: lifecycle.prevent_destroy (terraform_data.net) — gate: Existing(var.protect) — trace: modules/net/main.tf:12-19 — compiler: tf-phi golden
resource "terraform_data" "net_prevent_destroy_true" {
  count = var.protect ? (var.cidr == "" ? 0 : 1) : 0
  input = var.cidr

  lifecycle {
    prevent_destroy = true
  }
}

# phi: lifecycle.ignore_changes (terraform_data.service) — gate: Existing(var.drift) — trace: modules/net/main.tf:21-27 — compiler: tf-phi golden
resource "terraform_data" "service_input_triggers_replace" {
  count = var.drift ? 1 : 0
  input = one(concat(terraform_data.net_prevent_destroy_false, terraform_data.net_prevent_destroy_true)[*].id)

  lifecycle {
    ignore_changes = [input, triggers_replace]
  }
}

# phi: lifecycle.ignore_changes (terraform_data.service) — gate: Not(Existing(var.drift)) — trace: modules/net/main.tf:21-27 — compiler: tf-phi golden
resource "terraform_data" "service_ignore_changes_empty" {
  count = var.drift ? 0 : 1
  input = one(concat(terraform_data.net_prevent_destroy_false, terraform_data.net_prevent_destroy_true)[*].id)

  lifecycle {
    ignore_changes = []
  }
}

# What is pinned has nothing to do with what is protected.
# phi: input (terraform_data.release) — gate: Eq(var.pinned, "15") — trace: modules/net/main.tf:30-32 — compiler: tf-phi golden
resource "terraform_data" "release_v15" {
  count = var.pinned == "15" ? 1 : 0
  input = "v15"
}

# phi: input (terraform_data.release) — gate: Eq(var.pinned, "16") — trace: modules/net/main.tf:30-32 — compiler: tf-phi golden
resource "terraform_data" "release_v16" {
  count = var.pinned == "16" ? 1 : 0
  input = "v16"
}

output "id" {
  value = concat(terraform_data.net_prevent_destroy_false, terraform_data.net_prevent_destroy_true)[0].id
}
