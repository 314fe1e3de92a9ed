variable "first" {
  type = string
}

variable "second" {
  type = string
}

variable "third" {
  type = number
}

variable "on" {
  type = bool
}

# Whatever is open is named at once: in one value, and in the arms of a choice.
resource "terraform_data" "db" {
  input = var.on ? "${var.first}-${var.second}" : var.third
}
