# PostgreSQL by the CloudNative-PG operator. Everything here is ordinary Terraform; `terraform_data` stands for the
# `helm_release` that a real template has.

variable "identifier" {
  type = string
}

variable "engine_version" {
  type = string
}

variable "allocated_storage" {
  type        = number
  description = "In GiB."
  default     = 20
}

locals {
  # Which chart of the operator knows which major version.
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
    version = local.charts[var.engine_version]
    values = yamlencode({
      cluster = {
        name      = var.identifier
        imageName = "ghcr.io/cloudnative-pg/postgresql:${var.engine_version}"
        storage   = { size = "${var.allocated_storage}Gi" }
      }
    })
  }
}

output "host" {
  value = "${var.identifier}-rw.default.svc"
}

output "port" {
  value = 5432
}
