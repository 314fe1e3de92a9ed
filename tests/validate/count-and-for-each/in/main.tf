variable "number" {
  type = number
}

variable "keys" {
  type = set(string)
}

resource "terraform_data" "counted" {
  count = var.number - 2
}

resource "terraform_data" "keyed" {
  for_each = var.keys
}
