variable "name" {
  type = string
}

resource "terraform_data" "tier" {
  input            = "gold"
  triggers_replace = var.name
}

output "tier" {
  value = terraform_data.tier.output
}
