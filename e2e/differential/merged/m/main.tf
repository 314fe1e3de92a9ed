variable "x" {
  default = "module"
}
variable "y" {
  default = "module"
}
resource "terraform_data" "inner" {
  input = [var.x, local.z]
}
locals {
  z = "main"
}
output "all" {
  value = { x = var.x, y = var.y, z = local.z }
}
