variable "wanted" {
  type = string
}

resource "terraform_data" "app" {
  input = var.wanted
}
