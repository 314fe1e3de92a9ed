variable "name" {
  type = string
}

variable "tier" {
  type = string
}

resource "terraform_data" "tier" {
  input            = var.tier
  triggers_replace = var.name
}

output "tier" {
  value = terraform_data.tier.output
}
