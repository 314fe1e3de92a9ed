variable "prefix" {
  type    = string
  default = "eu"

  # phi: the values that are specialised
  validation {
    condition     = var.prefix == "eu"
    error_message = "prefix must be \"eu\": only the default is specialised. List other values in phi.hcl."
  }
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

# phi: input (terraform_data.database) — gate: Eq(each.key, "eu-blue") — trace: main.tf:21-25 — compiler: tf-phi golden
resource "terraform_data" "database_v15_4" {
  for_each = { for each_key, each_value in local.by_name : each_key => each_value if each_key == "eu-blue" }

  input = "15.4"
}

# phi: input (terraform_data.database) — gate: Eq(each.key, "eu-green") — trace: main.tf:21-25 — compiler: tf-phi golden
resource "terraform_data" "database_v16_2" {
  for_each = { for each_key, each_value in local.by_name : each_key => each_value if each_key == "eu-green" }

  input = "16.2"
}
