variable "free" {
  type    = string
  default = "f"
}
resource "terraform_data" "pinned" {
  input = { v = "b", b = false }
}
output "x" { value = (false ? join(",", ["a", var.free]) : "m") }
output "y" { value = ("b") }
output "z" { value = (false ? "m" : join(",", ["a", var.free])) }
output "w" { value = [false ? "${path.root}" : join(",", ["a", var.free]), var.free, "b"] }
