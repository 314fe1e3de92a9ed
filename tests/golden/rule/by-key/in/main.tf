variable "env" {
  type = string
}

locals {
  versions = {
    prod = "15.4"
    test = "16.2"
  }
}

resource "terraform_data" "index" {
  input = local.versions[var.env]
}

resource "terraform_data" "lookup" {
  input = lookup(local.versions, var.env, "14.9")
}

resource "terraform_data" "try" {
  input = try(local.versions[var.env], "14.9")
}
