variable "size" {
  type    = string
  default = "usual"
}

resource "terraform_data" "db" {
  input = "usual"
}
