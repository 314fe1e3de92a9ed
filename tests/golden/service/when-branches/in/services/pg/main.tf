variable "identifier" {
  type = string
}

variable "engine_version" {
  type    = string
  default = "15.4"
}

variable "allocated_storage" {
  type    = number
  default = 10
}

resource "terraform_data" "postgres" {
  input = "${var.identifier} ${var.engine_version} ${var.allocated_storage}"
}

output "host" {
  value = "${var.identifier}-rw"
}

output "port" {
  value = 5432
}
