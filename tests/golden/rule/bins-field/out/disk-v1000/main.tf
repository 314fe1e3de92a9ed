variable "size" {
  type = number
}

resource "terraform_data" "disk" {
  input            = 1000
  triggers_replace = var.size
}
