variable "free" {
  type    = string
  default = "f"
}
resource "terraform_data" "pinned" {
  input = { v = "a", b = true }
}
output "x" { value = (true ? join(",", ["a", var.free]) : "m") }
output "y" { value = (join(",", ["a", var.free])) }
output "z" { value = (true ? "m" : join(",", ["a", var.free])) }
output "w" { value = [true ? "${path.root}" : join(",", ["a", var.free]), "a", tostring("${true}")] }
