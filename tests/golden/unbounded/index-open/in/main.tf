variable "n" {
  type = number
}

resource "terraform_data" "many" {
  count = var.n
  input = "node-${count.index % 3}"
}
