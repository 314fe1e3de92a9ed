variable "zones" {
  type = set(string)
}

variable "env" {
  type = string
}

variable "config" {
  type = object({ version = string })
}

resource "terraform_data" "replica" {
  for_each = var.zones
  input    = var.config.version
}

resource "terraform_data" "main" {
  input = var.env == "prod" ? "15.4" : "14.9"
}
