variable "identifier" {
  type = string
}

variable "allocated_storage" {
  type    = number
  default = 10
}

resource "terraform_data" "release" {
  input = {
    name  = var.identifier
    chart = "0.20"
    size  = var.allocated_storage
  }
}

output "host" {
  value = "${var.identifier}-rw"
}

output "port" {
  value = 5432
}
