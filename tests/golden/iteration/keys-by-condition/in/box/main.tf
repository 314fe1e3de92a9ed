variable "class" {
  type = string
}

resource "terraform_data" "in_box" {
  input = upper(var.class)
}
