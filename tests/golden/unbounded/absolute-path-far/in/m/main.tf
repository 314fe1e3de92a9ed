variable "path" {
  type = string
}

resource "terraform_data" "app" {
  input = "${var.path}/x"
}
