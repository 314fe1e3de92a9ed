variable "prefix" {
  type    = string
  default = "eu"
}

resource "terraform_data" "network" {}

locals {
  groups = [
    { name = "blue", version = "15.4" },
    { name = "green", version = "16.2" },
  ]

  # The keys depend on a default, and what stands in the way of the elements as a whole is another thing.
  by_name = {
    for group in local.groups :
    "${var.prefix}-${group.name}" => merge(group, { network = terraform_data.network.id })
  }
}

resource "terraform_data" "database" {
  for_each = local.by_name

  input = each.value.version
}
