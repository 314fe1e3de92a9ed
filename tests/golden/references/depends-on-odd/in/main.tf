variable "big" {
  type = bool
}

resource "terraform_data" "vm" {
  input = var.big ? "large" : "small"
}

resource "terraform_data" "after" {
  depends_on = 1[terraform_data.vm]
}
