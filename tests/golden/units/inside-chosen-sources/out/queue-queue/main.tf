variable "env" {
  type = string
}

# phi: input (terraform_data.it) — gate: Eq("queue of ${var.env}", "queue of dev") — trace: queue/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "it_queue_of_dev" {
  count = "queue of ${var.env}" == "queue of dev" ? 1 : 0
  input = "queue of dev"
}

# phi: input (terraform_data.it) — gate: Eq("queue of ${var.env}", "queue of prod") — trace: queue/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "it_queue_of_prod" {
  count = "queue of ${var.env}" == "queue of prod" ? 1 : 0
  input = "queue of prod"
}
