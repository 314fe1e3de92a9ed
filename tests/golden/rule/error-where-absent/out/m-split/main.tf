variable "zones" {
  type = set(string)
}

variable "env" {
  type = string
}

variable "config" {
  type = object({ version = string })
}

resource "terraform_data" "replica" {
  for_each = var.zones
  input    = var.config.version
}

# phi: input (terraform_data.main) — gate: Existing(var.env == "prod") — trace: m/main.tf:18-20 — compiler: tf-phi golden
resource "terraform_data" "main_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.main) — gate: Not(Existing(var.env == "prod")) — trace: m/main.tf:18-20 — compiler: tf-phi golden
resource "terraform_data" "main_v14_9" {
  count = var.env == "prod" ? 0 : 1
  input = "14.9"
}
