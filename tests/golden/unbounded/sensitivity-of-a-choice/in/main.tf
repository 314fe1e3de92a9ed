variable "secret" {
  type      = string
  sensitive = true
}

variable "on" {
  type = bool
}

resource "terraform_data" "app" {
  input = issensitive(var.on ? "a" : var.secret) ? "hidden" : "shown"
}
