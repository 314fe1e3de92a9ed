variable "replicas" {
  type = number

  validation {
    condition     = var.replicas >= 1 && var.replicas <= 3 && floor(var.replicas) == var.replicas
    error_message = "One to three replicas."
  }
}

# phi: input (terraform_data.app) — gate: Eq(var.replicas, 1) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "app_r1" {
  count = var.replicas == 1 ? 1 : 0
  input = "r1"
}

# phi: input (terraform_data.app) — gate: Eq(var.replicas, 2) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "app_r2" {
  count = var.replicas == 2 ? 1 : 0
  input = "r2"
}

# phi: input (terraform_data.app) — gate: Eq(var.replicas, 3) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "app_r3" {
  count = var.replicas == 3 ? 1 : 0
  input = "r3"
}
