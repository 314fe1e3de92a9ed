variable "identifier" {
  type = string
}

variable "engine_version" {
  type    = string
  default = "8.0"
}

resource "terraform_data" "mysql" {
  input = "${var.identifier} ${var.engine_version}"
}

output "endpoint" {
  value = "${var.identifier}-primary"
}

output "port" {
  value = 3306
}
