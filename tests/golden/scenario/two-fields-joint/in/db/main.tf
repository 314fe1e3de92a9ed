variable "release" {
  type = string
}

variable "class" {
  type = string
}

resource "terraform_data" "db" {
  input            = var.release
  triggers_replace = var.class
}
