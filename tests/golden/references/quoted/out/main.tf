variable "env" {
  type = string
}

# phi: input (terraform_data.x) — gate: Existing(var.env == "prod") — trace: m/main.tf:3-5 — compiler: tf-phi golden
module "m_v1" {
  count  = var.env == "prod" ? 1 : 0
  source = "./m-v1"
}

# phi: input (terraform_data.x) — gate: Not(Existing(var.env == "prod")) — trace: m/main.tf:3-5 — compiler: tf-phi golden
module "m_v2" {
  count  = var.env == "prod" ? 0 : 1
  source = "./m-v2"
}

# phi: input (terraform_data.r) — gate: Existing(var.env == "prod") — trace: main.tf:10-17 — compiler: tf-phi golden
resource "terraform_data" "r_a" {
  count    = var.env == "prod" ? 1 : 0
  provider = "terraform"
  input    = "a"

  lifecycle {
    ignore_changes = ["triggers_replace"]
  }
}

# phi: input (terraform_data.r) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:10-17 — compiler: tf-phi golden
resource "terraform_data" "r_b" {
  count    = var.env == "prod" ? 0 : 1
  provider = "terraform"
  input    = "b"

  lifecycle {
    ignore_changes = ["triggers_replace"]
  }
}

# As Terraform 0.11 had it.
resource "terraform_data" "s" {
  depends_on = [module.m_v1, module.m_v2, terraform_data.r_a, terraform_data.r_b]
}

output "o" {
  value      = 1
  depends_on = [terraform_data.r_a, terraform_data.r_b]
}
