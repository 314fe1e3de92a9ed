variable "n" {
  type = number
}

# phi: input (terraform_data.inner) — gate: Existing(var.n == 15) — trace: m/main.tf:5-7 — compiler: tf-phi golden
module "size_B" {
  count  = var.n == 15 ? 1 : 0
  source = "./m-B"
  p      = var.n == 15 ? "b" : "dev"
}

# phi: input (terraform_data.inner) — gate: Not(Existing(var.n == 15)) — trace: m/main.tf:5-7 — compiler: tf-phi golden
module "size_DEV" {
  count  = var.n == 15 ? 0 : 1
  source = "./m-DEV"
  p      = var.n == 15 ? "b" : "dev"
}

# phi: input (terraform_data.r) — gate: Existing(contains(["b"], module.size.names["k1"])) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "r_dev" {
  count = contains(["b"], one(concat(module.size_B[*].names, module.size_DEV[*].names))["k1"]) ? 1 : 0
  input = "dev"
}

# phi: input (terraform_data.r) — gate: Not(Existing(contains(["b"], module.size.names["k1"]))) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "r_a" {
  count = contains(["b"], one(concat(module.size_B[*].names, module.size_DEV[*].names))["k1"]) ? 0 : 1
  input = "a"
}
