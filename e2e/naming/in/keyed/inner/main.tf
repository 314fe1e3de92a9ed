variable "protect" { type = bool }

resource "terraform_data" "deep" {
  input = var.protect
}
