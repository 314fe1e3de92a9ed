variable "env" {}

output "size" {
  value = { prod = "large" }[var.env]
}
