variable "env" {
  type = string
}

# phi: input (terraform_data.it) — gate: Existing(var.env == "prod") — trace: cache/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "it_big_cache" {
  count = var.env == "prod" ? 1 : 0
  input = "big cache"
}

# phi: input (terraform_data.it) — gate: Not(Existing(var.env == "prod")) — trace: cache/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "it_small_cache" {
  count = var.env == "prod" ? 0 : 1
  input = "small cache"
}
