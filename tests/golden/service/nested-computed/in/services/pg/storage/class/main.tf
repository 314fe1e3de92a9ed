variable "class" {
  type = string
}

output "name" {
  value = "class-${var.class}"
}
