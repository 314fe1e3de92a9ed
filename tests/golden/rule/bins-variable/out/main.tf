variable "size" {
  type = number

  # phi: the values that are specialised
  validation {
    condition     = var.size <= 1000
    error_message = "var.size must be at most 1000: what is larger has no bin. Add one in phi.hcl."
  }
}

variable "env" {
  type    = string
  default = "dev"
}

# The variable's own number is rounded where it reaches a driven field; what else is computed from it stays exact.
# phi: input (terraform_data.disk) — gate: Or(And(Existing(var.size <= 20), Existing(var.env == "prod")), Not(Existing(var.env == "prod"))) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "disk_v20" {
  count            = var.env == "prod" && var.size > 20 ? 0 : 1
  input            = 20
  triggers_replace = var.size > 50 ? "large" : "small"
}

# phi: input (terraform_data.disk) — gate: And(Existing(var.size > 20 && var.size <= 100), Existing(var.env == "prod")) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "disk_v100" {
  count            = var.env == "prod" && var.size > 20 && var.size <= 100 ? 1 : 0
  input            = 100
  triggers_replace = var.size > 50 ? "large" : "small"
}

# phi: input (terraform_data.disk) — gate: And(Existing(var.size > 100 && var.size <= 1000), Existing(var.env == "prod")) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "disk_v1000" {
  count            = var.env == "prod" && var.size > 100 && var.size <= 1000 ? 1 : 0
  input            = 1000
  triggers_replace = var.size > 50 ? "large" : "small"
}
