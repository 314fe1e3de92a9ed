variable "v" { type = string }
variable "b" { type = bool }
variable "free" {
  type    = string
  default = "f"
}
resource "terraform_data" "pinned" {
  input = { v = var.v, b = var.b }
}
output "x" { value = (var.b ? join(",", ["a", var.free]) : "${path.module}") }
output "y" { value = (var.b ? join(",", ["a", var.free]) : "${var.v}") }
output "z" { value = (var.b ? "${path.module}" : join(",", ["a", var.free])) }
output "w" { value = [var.b ? "${path.root}" : join(",", ["a", var.free]), var.b ? "${var.v}" : var.free, var.b ? "${var.b}" : "${var.v}"] }
