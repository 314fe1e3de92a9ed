variable "settings" {
  type = object({ engine = string })
}

resource "terraform_data" "off" {
  input = var.settings.engine
}
