variable "prod" {
  type = bool

  # phi: the values that are specialised
  validation {
    condition     = var.prod != null
    error_message = "prod must be true or false: null is not specialised. Give it a `default = null` if it is meant."
  }
}

module "names" {
  source = "./names"
  prod   = var.prod
}

locals {
  size   = var.prod ? "large" : "small"
  alias  = local.size
  object = { size = local.alias, fixed = "x" }
  list   = [local.alias, "other"]
  pairs  = { for k, v in local.object : k => upper(v) }
}

# phi: input (terraform_data.local) — gate: Existing(var.prod) — trace: main.tf:18-20 — compiler: tf-phi golden
resource "terraform_data" "local_large" {
  count = var.prod ? 1 : 0
  input = "large"
}

# phi: input (terraform_data.local) — gate: Not(Existing(var.prod)) — trace: main.tf:18-20 — compiler: tf-phi golden
resource "terraform_data" "local_small" {
  count = var.prod ? 0 : 1
  input = "small"
}

# phi: input (terraform_data.output) — gate: Existing(var.prod) — trace: main.tf:22-24 — compiler: tf-phi golden
resource "terraform_data" "output_db_p" {
  count = var.prod ? 1 : 0
  input = "db-p"
}

# phi: input (terraform_data.output) — gate: Not(Existing(var.prod)) — trace: main.tf:22-24 — compiler: tf-phi golden
resource "terraform_data" "output_db_d" {
  count = !var.prod ? 1 : 0
  input = "db-d"
}

# phi: input (terraform_data.object) — gate: Existing(var.prod) — trace: main.tf:26-28 — compiler: tf-phi golden
resource "terraform_data" "object_large" {
  count = var.prod ? 1 : 0
  input = "large"
}

# phi: input (terraform_data.object) — gate: And(Not(Eq(var.prod, null)), Not(Existing(var.prod))) — trace: main.tf:26-28 — compiler: tf-phi golden
resource "terraform_data" "object_small" {
  count = !var.prod ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.list) — gate: Existing(var.prod) — trace: main.tf:30-32 — compiler: tf-phi golden
resource "terraform_data" "list_large" {
  count = var.prod ? 1 : 0
  input = "large"
}

# phi: input (terraform_data.list) — gate: And(Not(Eq(var.prod, null)), Not(Existing(var.prod))) — trace: main.tf:30-32 — compiler: tf-phi golden
resource "terraform_data" "list_small" {
  count = !var.prod ? 1 : 0
  input = "small"
}

# phi: input (terraform_data.for) — gate: Existing(var.prod) — trace: main.tf:34-36 — compiler: tf-phi golden
resource "terraform_data" "for_LARGE" {
  count = var.prod ? 1 : 0
  input = "LARGE"
}

# phi: input (terraform_data.for) — gate: And(Not(Eq(var.prod, null)), Not(Existing(var.prod))) — trace: main.tf:34-36 — compiler: tf-phi golden
resource "terraform_data" "for_SMALL" {
  count = !var.prod ? 1 : 0
  input = "SMALL"
}

# phi: input (terraform_data.splat) — gate: Existing(var.prod) — trace: main.tf:38-40 — compiler: tf-phi golden
resource "terraform_data" "splat_large" {
  count = var.prod ? 1 : 0
  input = ["large"]
}

# phi: input (terraform_data.splat) — gate: And(Not(Eq(var.prod, null)), Not(Existing(var.prod))) — trace: main.tf:38-40 — compiler: tf-phi golden
resource "terraform_data" "splat_small" {
  count = !var.prod ? 1 : 0
  input = ["small"]
}

# phi: input (terraform_data.template) — gate: Existing(var.prod) — trace: main.tf:42-44 — compiler: tf-phi golden
resource "terraform_data" "template_db_large_ha" {
  count = var.prod ? 1 : 0
  input = "db-large-ha"
}

# phi: input (terraform_data.template) — gate: Not(Existing(var.prod)) — trace: main.tf:42-44 — compiler: tf-phi golden
resource "terraform_data" "template_db_small" {
  count = var.prod ? 0 : 1
  input = "db-small"
}

# phi: input (terraform_data.operator) — gate: Existing(var.prod) — trace: main.tf:46-48 — compiler: tf-phi golden
resource "terraform_data" "operator_v20" {
  count = var.prod ? 1 : 0
  input = 20
}

# phi: input (terraform_data.operator) — gate: Not(Existing(var.prod)) — trace: main.tf:46-48 — compiler: tf-phi golden
resource "terraform_data" "operator_v10" {
  count = var.prod ? 0 : 1
  input = 10
}

# phi: input (terraform_data.same_in_every_case) — gate: Existing(true) — trace: main.tf:50-52 — compiler: tf-phi golden
resource "terraform_data" "same_in_every_case" {
  input = "x"
}
