# A null without a type: Terraform never gets a value for it, nor for what depends on it.
locals {
  name = format("%s-%s", "b", null)
}

resource "terraform_data" "r" {
  input = (local.name != "15.4" ? false : true) && startswith("A", "a") ? "prod" : "dev"
}
