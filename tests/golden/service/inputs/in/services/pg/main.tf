variable "size" {
  type = number
}

variable "labels" {
  type = map(string)
}

resource "terraform_data" "release" {
  input = { size = var.size, labels = var.labels }
}
