variable "input" {
  type = object({ engine = string, engine_version = string })
}

output "release" {
  value = var.input
}
