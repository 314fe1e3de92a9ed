output "engine" {
  value = "postgres"
}

variable "size" {
  type    = number
  default = 20
}

resource "terraform_data" "disk" {
  input = var.size
}
