output "name" {
  value = "fast"
}
