variable "zone" {
  type    = string
  default = null
}

resource "terraform_data" "r" {
  input = var.zone == null ? "anywhere" : var.zone
}
