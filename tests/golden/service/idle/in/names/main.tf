variable "name" {
  type = string
}

output "long" {
  value = "${var.name}-database"
}

output "unused" {
  value = var.name
}
