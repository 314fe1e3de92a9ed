variable "name" {
  type     = string
  nullable = false
}

output "text" {
  value = "is ${var.name}"
}
