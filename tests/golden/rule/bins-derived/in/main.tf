variable "replicas" {
  type = number
}

resource "terraform_data" "disk" {
  input = var.replicas * 2 + 1
}
