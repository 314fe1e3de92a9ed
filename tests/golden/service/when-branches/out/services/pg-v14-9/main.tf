variable "identifier" {
  type = string
}

variable "allocated_storage" {
  type    = number
  default = 10
}

resource "terraform_data" "postgres" {
  input = "${var.identifier} 14.9 ${var.allocated_storage}"
}

output "host" {
  value = "${var.identifier}-rw"
}

output "port" {
  value = 5432
}
