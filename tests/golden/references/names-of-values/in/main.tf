# The providers `local` and `null` have configurations whose names look like values. Terraform takes them as they are.
terraform {
  required_providers {
    local = {
      source = "hashicorp/local"
    }
    null = {
      source = "hashicorp/null"
    }
  }
}

provider "local" {
  alias = "main"
}

provider "null" {
  alias = "main"
}

module "m" {
  source = "./modules/m"

  providers = {
    local       = local.main
    local.spare = local.main
    null        = null.main
  }
}

resource "null_resource" "own" {
  provider = null
}
