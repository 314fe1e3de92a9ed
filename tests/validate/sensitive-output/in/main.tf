variable "password" {
  type      = string
  default   = "x"
  sensitive = true
}

# A root output has to say that it is sensitive.
output "password" {
  value = "it is ${var.password}"
}
