variable "size" {
  type = number
}

resource "terraform_data" "disk" {
  input            = 20
  triggers_replace = var.size
}
