variable "name" {
  type = string
}

variable "notes" {
  type = string
}

output "name" {
  value = "${var.name}: ${var.notes}"
}
