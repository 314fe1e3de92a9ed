variable "number" {
  type = number
}

output "name" {
  value = ["only one"][var.number]
}
