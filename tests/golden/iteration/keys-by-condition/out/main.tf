variable "env" {
  type = string

  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "Not an environment."
  }
}

locals {
  sizes = var.env == "prod" ? tomap({ db = "large", cache = "large" }) : tomap({ db = "small" })
}

# phi: input (terraform_data.by_value) — gate: Or(And(Eq(each.key, "cache"), Existing(var.env == "prod")), And(Eq(each.key, "db"), Existing(var.env == "prod"))) — trace: main.tf:14-17 — compiler: tf-phi golden
resource "terraform_data" "by_value_large" {
  for_each = { for each_key, each_value in local.sizes : each_key => each_value if var.env == "prod" || each_key == "cache" }
  input    = "large"
}

# phi: input (terraform_data.by_value) — gate: And(Eq(each.key, "db"), Not(Existing(var.env == "prod"))) — trace: main.tf:14-17 — compiler: tf-phi golden
resource "terraform_data" "by_value_small" {
  for_each = { for each_key, each_value in local.sizes : each_key => each_value if var.env == "dev" && each_key == "db" }
  input    = "small"
}

# phi: input (terraform_data.by_key) — gate: Existing(each.key == "db") — trace: main.tf:19-22 — compiler: tf-phi golden
resource "terraform_data" "by_key_v15_4" {
  for_each = toset([for each_key in toset(var.env == "prod" ? ["db", "cache"] : ["db"]) : each_key if each_key == "db"])
  input    = "15.4"
}

# phi: input (terraform_data.by_key) — gate: Not(Existing(each.key == "db")) — trace: main.tf:19-22 — compiler: tf-phi golden
resource "terraform_data" "by_key_v7_2" {
  for_each = toset([for each_key in toset(var.env == "prod" ? ["db", "cache"] : ["db"]) : each_key if !(each_key == "db")])
  input    = "7.2"
}

# phi: input (terraform_data.in_box) — gate: Existing(each.key == "cache") — trace: box/main.tf:5-7 — compiler: tf-phi golden
module "box_R6" {
  source   = "./box-R6"
  for_each = { for each_key, each_value in local.sizes : each_key => each_value if each_key == "cache" }
}

# phi: input (terraform_data.in_box) — gate: input == "LARGE" — trace: box/main.tf:5-7 — compiler: tf-phi golden
module "box_LARGE" {
  source   = "./box-LARGE"
  for_each = { for each_key, each_value in local.sizes : each_key => each_value if var.env == "prod" && each_key == "db" }
}

# phi: input (terraform_data.in_box) — gate: And(Not(Existing(each.key == "cache")), Not(Existing(var.env == "prod"))) — trace: box/main.tf:5-7 — compiler: tf-phi golden
module "box_SMALL" {
  source   = "./box-SMALL"
  for_each = { for each_key, each_value in local.sizes : each_key => each_value if var.env == "dev" && each_key == "db" }
}
