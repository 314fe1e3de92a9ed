output "name" {
  value = "pg:16"
}
