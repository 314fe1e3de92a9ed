variable "size" {
  type = number
}

resource "terraform_data" "disk" {
  input            = 100
  triggers_replace = var.size
}
