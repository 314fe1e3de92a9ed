variable "env" {
  type = string
}

module "db" {
  source = "./m"
}

# A `try` sees that there is no such output; one that is an error itself it doesn't.
# phi: input (terraform_data.app) — gate: Existing(var.env == "prod") — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "app_v5432" {
  count = var.env == "prod" ? 1 : 0
  input = 5432
}

# phi: input (terraform_data.app) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "app_v5433" {
  count = var.env == "prod" ? 0 : 1
  input = 5433
}
