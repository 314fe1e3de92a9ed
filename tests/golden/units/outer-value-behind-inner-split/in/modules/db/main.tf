variable "release" {
  type = string
}

variable "protect" {
  type = bool
}

resource "terraform_data" "db" {
  input = {
    release = var.release
  }

  lifecycle {
    prevent_destroy = var.protect
  }
}
