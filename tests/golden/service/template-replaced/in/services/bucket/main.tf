variable "bucket" {
  type = string
}

resource "terraform_data" "bucket" {
  input = var.bucket
}
