variable "kind" {
  type = string
}

resource "terraform_data" "disk" {
  input = var.kind
}

resource "terraform_data" "upgrade" {
  count = var.kind == "postgres" ? 1 : 0
}

output "upgrades" {
  value = terraform_data.upgrade[*].id
}
