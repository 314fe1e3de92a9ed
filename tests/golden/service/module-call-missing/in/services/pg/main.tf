variable "identifier" {
  type = string
}

variable "engine_version" {
  type = string
}

variable "allocated_storage" {
  type    = number
  default = 10
}

resource "terraform_data" "release" {
  input = {
    name  = var.identifier
    chart = { "14.9" = "0.18", "15.4" = "0.19", "16.2" = "0.20" }[var.engine_version]
    size  = var.allocated_storage
  }
}

output "host" {
  value = "${var.identifier}-rw"
}

output "port" {
  value = 5432
}
