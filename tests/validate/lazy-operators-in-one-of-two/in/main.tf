variable "env" {
  type = string
}

# Every Terraform evaluates the right side in dev, and those before 1.12 in prod as well.
locals {
  on = var.env != "dev" || parseint(var.env, 10) > 1
}
