terraform {
  required_providers {
    local = {
      source                = "hashicorp/local"
      configuration_aliases = [local.spare]
    }
    null = {
      source = "hashicorp/null"
    }
  }
}

resource "local_file" "f" {
  provider = local.spare
  content  = "a"
  filename = "a.txt"
}

resource "null_resource" "n" {}
