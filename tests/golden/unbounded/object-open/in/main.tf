variable "settings" {
  type = object({ size = number, kind = optional(string) })
}

resource "terraform_data" "settings" {
  input = var.settings
}
