variable "allocated_storage" {
  type = number
}

resource "terraform_data" "volume" {
  input = "${var.allocated_storage}Gi"
}
