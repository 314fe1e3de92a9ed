variable "flag" {
  type    = bool
  default = null
}

resource "terraform_data" "r" {
  input = try(var.flag, true)
}

resource "terraform_data" "s" {
  input = coalesce(var.flag, true) ? "on" : "off"
}
