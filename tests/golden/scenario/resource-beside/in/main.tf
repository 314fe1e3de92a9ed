variable "big" {
  type = bool
}

resource "terraform_data" "vm" {
  # the size
  input = var.big ? "large" : "small"

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "after" {
  input      = terraform_data.vm.output
  depends_on = [terraform_data.vm]
}
