variable "major" {
  type = string
}

output "name" {
  value = var.major == "15" ? "old" : "pg:${var.major}"
}
