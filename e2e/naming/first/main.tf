variable "protect" { type = bool }

variable "env" { type = string }

# A bool.
# phi: lifecycle.prevent_destroy (terraform_data.flag) — gate: Existing(var.protect) — trace: main.tf:6-12 — compiler: tf-phi 0.1.0
resource "terraform_data" "flag_true" {
  count = var.protect ? 1 : 0
  input = "flag"

  lifecycle {
    prevent_destroy = true
  }
}

# phi: lifecycle.prevent_destroy (terraform_data.flag) — gate: Not(Existing(var.protect)) — trace: main.tf:6-12 — compiler: tf-phi 0.1.0
resource "terraform_data" "flag_false" {
  count = var.protect ? 0 : 1
  input = "flag"

  lifecycle {
    prevent_destroy = false
  }
}

# A list of references.
# phi: lifecycle.ignore_changes (terraform_data.ignores) — gate: Existing(var.env == "prod") — trace: main.tf:15-21 — compiler: tf-phi 0.1.0
resource "terraform_data" "ignores_x38f296" {
  count = var.env == "prod" ? 1 : 0
  input = "ignores"

  lifecycle {
    ignore_changes = [input]
  }
}

# phi: lifecycle.ignore_changes (terraform_data.ignores) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:15-21 — compiler: tf-phi 0.1.0
resource "terraform_data" "ignores_xb1733f" {
  count = var.env == "prod" ? 0 : 1
  input = "ignores"

  lifecycle {
    ignore_changes = []
  }
}

# Lists, objects, an empty text.
# phi: input (terraform_data.listed) — gate: Existing(var.env == "prod") — trace: main.tf:24-26 — compiler: tf-phi 0.1.0
resource "terraform_data" "listed_x6a742f" {
  count = var.env == "prod" ? 1 : 0
  input = tolist(["a", "b"])
}

# phi: input (terraform_data.listed) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:24-26 — compiler: tf-phi 0.1.0
resource "terraform_data" "listed_x0ef51d" {
  count = var.env == "prod" ? 0 : 1
  input = tolist(["a"])
}

# phi: input (terraform_data.object) — gate: Existing(var.env == "prod") — trace: main.tf:28-30 — compiler: tf-phi 0.1.0
resource "terraform_data" "object_x90c0fa" {
  count = var.env == "prod" ? 1 : 0
  input = tomap({ size = 2 })
}

# phi: input (terraform_data.object) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:28-30 — compiler: tf-phi 0.1.0
resource "terraform_data" "object_xa3903f" {
  count = var.env == "prod" ? 0 : 1
  input = false ? tomap({ a = 0 }) : {}
}

# phi: input (terraform_data.text) — gate: Existing(var.env == "prod") — trace: main.tf:32-34 — compiler: tf-phi 0.1.0
resource "terraform_data" "text_x" {
  count = var.env == "prod" ? 1 : 0
  input = "x"
}

# phi: input (terraform_data.text) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:32-34 — compiler: tf-phi 0.1.0
resource "terraform_data" "text_empty" {
  count = var.env == "prod" ? 0 : 1
  input = ""
}

# With `for_each` and `count` of their own.
# phi: input (terraform_data.each) — gate: Existing(var.protect) — trace: main.tf:37-40 — compiler: tf-phi 0.1.0
resource "terraform_data" "each_true" {
  for_each = toset([for each_key in toset(["k", "l"]) : each_key if var.protect])
  input    = true
}

# phi: input (terraform_data.each) — gate: Not(Existing(var.protect)) — trace: main.tf:37-40 — compiler: tf-phi 0.1.0
resource "terraform_data" "each_false" {
  for_each = toset([for each_key in toset(["k", "l"]) : each_key if !(var.protect)])
  input    = false
}

# phi: input (terraform_data.counted) — gate: Existing(var.protect) — trace: main.tf:42-45 — compiler: tf-phi 0.1.0
resource "terraform_data" "counted_true" {
  count = var.protect ? 2 : 0
  input = true
}

# phi: input (terraform_data.counted) — gate: Not(Existing(var.protect)) — trace: main.tf:42-45 — compiler: tf-phi 0.1.0
resource "terraform_data" "counted_false" {
  count = var.protect ? 0 : 2
  input = false
}

# A path.
# phi: source (module.chosen) — gate: Existing(var.env == "prod") — trace: main.tf:48-50 — compiler: tf-phi 0.1.0
module "chosen_left" {
  count  = var.env == "prod" ? 1 : 0
  source = "./left"
}

# phi: source (module.chosen) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:48-50 — compiler: tf-phi 0.1.0
module "chosen_right" {
  count  = var.env == "prod" ? 0 : 1
  source = "./right"
}

# Nested, under keys.
# phi: input (terraform_data.deep) — gate: Existing(var.protect) — trace: keyed/inner/main.tf:3-5 — compiler: tf-phi 0.1.0
module "keyed_true" {
  source   = "./keyed-true"
  for_each = toset([for each_key in toset(["k", "l"]) : each_key if var.protect])
}

# phi: input (terraform_data.deep) — gate: Not(Existing(var.protect)) — trace: keyed/inner/main.tf:3-5 — compiler: tf-phi 0.1.0
module "keyed_false" {
  source   = "./keyed-false"
  for_each = toset([for each_key in toset(["k", "l"]) : each_key if !(var.protect)])
}

# References.
provider "terraform" { alias = "us" }

provider "terraform" { alias = "eu" }

# phi: providers (module.site) — gate: Existing(var.env == "prod") — trace: main.tf:64-67 — compiler: tf-phi 0.1.0
module "site_x3429c3" {
  count     = var.env == "prod" ? 1 : 0
  source    = "./left"
  providers = { terraform = terraform.us }
}

# phi: providers (module.site) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:64-67 — compiler: tf-phi 0.1.0
module "site_x4c73b1" {
  count     = var.env == "prod" ? 0 : 1
  source    = "./left"
  providers = { terraform = terraform.eu }
}
