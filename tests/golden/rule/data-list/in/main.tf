data "external" "zones" {
  program = ["zones"]
}

locals {
  zones = slice(data.external.zones.names, 0, 3)
}

resource "terraform_data" "first" {
  input = "${local.zones[0]}-db"
}

resource "terraform_data" "count" {
  input = length(local.zones)
}
