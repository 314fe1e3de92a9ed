variable "n" {
  type = number
}

locals {
  versions = { for i in range(20) : "k${i}" => "v${i}" }
}

variable "k" {
  type = string
}

resource "terraform_data" "db" {
  input = local.versions[var.k]
}
