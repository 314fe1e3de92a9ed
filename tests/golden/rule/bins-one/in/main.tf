variable "size" {
  type     = number
  nullable = false
}

resource "terraform_data" "disk" {
  input = var.size
}
