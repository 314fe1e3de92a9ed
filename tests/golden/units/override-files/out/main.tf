variable "env" {
  type     = string
  nullable = false

  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "dev or prod"
  }
}

variable "names" {
  type    = set(string)
  default = ["a", "b"]
}

# phi: input.engine (terraform_data.app) — gate: Existing(var.env == "prod") — trace: db/main.tf:17-19 — compiler: tf-phi golden
module "db_v15_4" {
  source  = "./other"
  name    = "old"
  storage = 20
  size    = 0
}

# phi: input.engine (terraform_data.app) — gate: Not(Existing(var.env == "prod")) — trace: db/main.tf:17-19 — compiler: tf-phi golden
module "db_v14_9" {
  source  = "./other"
  name    = "old"
  storage = 20
  size    = 0
}

# phi: input (terraform_data.kept) — gate: Existing(var.env == "prod") — trace: main.tf:24-31 — compiler: tf-phi golden
resource "terraform_data" "kept_yes" {
  for_each = var.names
  input    = "hidden"

  lifecycle {
    create_before_destroy = true
  }
}

# phi: input (terraform_data.kept) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:24-31 — compiler: tf-phi golden
resource "terraform_data" "kept_no" {
  for_each = var.names
  input    = "hidden"

  lifecycle {
    create_before_destroy = true
  }
}

# phi: input (terraform_data.one) — gate: Existing(var.env == "prod") — trace: main.tf:33 — compiler: tf-phi golden
resource "terraform_data" "one_large" {
  count = var.env == "prod" ? 1 : 0
  input = "large"
}

# phi: input (terraform_data.one) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:33 — compiler: tf-phi golden
resource "terraform_data" "one_small" {
  count = var.env == "prod" ? 0 : 1
  input = "small"
}

output "all" {
  value = [concat(module.db_v15_4, module.db_v14_9).name, merge(terraform_data.kept_yes, terraform_data.kept_no)["a"].input, one(concat(terraform_data.one_large[*].input, terraform_data.one_small[*].input))]
}
