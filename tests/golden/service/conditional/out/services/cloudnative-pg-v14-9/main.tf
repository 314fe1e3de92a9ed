variable "identifier" {
  type = string
}

variable "allocated_storage" {
  type    = number
  default = 20
}

resource "terraform_data" "release" {
  input = {
    chart   = "cloudnative-pg"
    version = "0.18.2"
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
