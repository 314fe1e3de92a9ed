variable "size" {
  type = string
}

resource "terraform_data" "disk" {
  input = "disk-${var.size}"
}

module "inner" {
  source = "../inner"
  size   = var.size
}
