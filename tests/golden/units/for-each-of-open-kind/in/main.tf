variable "env" {
  type = string
}

# A set or a map: nothing says which.
variable "names" {}

locals {
  by_name = { for name in var.names : name => name }
}

resource "terraform_data" "open" {
  for_each = var.names
  input    = var.env == "prod" ? "large" : "small"
}

resource "terraform_data" "known" {
  for_each = local.by_name
  input    = var.env == "prod" ? "large" : "small"
}

resource "terraform_data" "chained" {
  for_each = terraform_data.known
  input    = var.env != "prod" ? each.value.id : "none"

  triggers_replace = var.env == "prod" ? "large" : "small"
}

output "open" {
  value = { for k, v in terraform_data.open : k => v.output }
}
