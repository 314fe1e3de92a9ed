variable "size" {
  type = string
}

output "size" {
  value = var.size
}
