variable "size" {
  type = number
}

resource "terraform_data" "disk" {
  input            = var.size
  triggers_replace = var.size
}
