variable "replicas" {
  type = number

  validation {
    condition     = var.replicas >= 1 && var.replicas <= 3 && floor(var.replicas) == var.replicas
    error_message = "One to three replicas."
  }
}

resource "terraform_data" "app" {
  input = "r${var.replicas}"
}
