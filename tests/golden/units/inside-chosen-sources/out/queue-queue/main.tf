variable "env" {
  type = string
}

# phi: input (terraform_data.it) — gate: Eq(var.env, "dev") — trace: queue/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "it_queue_of_dev" {
  count = var.env == "dev" ? 1 : 0
  input = "queue of dev"
}

# phi: input (terraform_data.it) — gate: Eq(var.env, "prod") — trace: queue/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "it_queue_of_prod" {
  count = var.env == "prod" ? 1 : 0
  input = "queue of prod"
}
