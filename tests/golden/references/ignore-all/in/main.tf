variable "frozen" {
  type = bool
}

resource "terraform_data" "app" {
  input = 1

  lifecycle {
    ignore_changes = var.frozen ? all : [input]
  }
}
