variable "p" { type = string }
output "o" { value = var.p }
