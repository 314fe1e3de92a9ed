variable "size" {
  type = string
}

resource "terraform_data" "node" {
  input = "node-${var.size}"
}
