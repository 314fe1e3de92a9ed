terraform {
  required_version = "~> 1.11.0"
}

variable "app" {
  type = object({ on = bool })
}

locals {
  on = var.app != null && var.app.on
}
