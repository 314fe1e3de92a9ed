variable "identifier" {
  type = string
}

variable "allocated_storage" {
  type    = number
  default = 20
}

locals {
  charts = {
    "14.9" = "0.18.2"
    "15.4" = "0.19.1"
    "16.2" = "0.21.0"
    "17.2" = "0.22.1"
  }
}

resource "terraform_data" "release" {
  input = {
    chart   = "cloudnative-pg"
    version = local.charts["15.4"]
    name    = var.identifier
    storage = "${var.allocated_storage}Gi"
  }
}

output "host" {
  value = "${var.identifier}-rw.default.svc"
}

output "port" {
  value = 5432
}
