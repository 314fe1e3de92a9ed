variable "k" {
  type = string
}

locals {
  versions = { for i in range(20) : "k${i}" => "v${i}" }
}

resource "terraform_data" "db" {
  input = local.versions[var.k]
}
