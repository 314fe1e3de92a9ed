variable "app" {
  type = object({ on = bool })
}

# Terraform 1.12 and later evaluate the right side only where it is needed.
locals {
  on = var.app != null && var.app.on
}
