variable "env" {
  type = string
}

locals {
  versions = {
    prod = "15.4"
    dev  = "16.2"
    test = "16.2"
  }
}

module "db" {
  source  = "./db"
  release = local.versions[var.env]
}
