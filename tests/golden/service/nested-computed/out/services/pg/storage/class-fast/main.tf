output "name" {
  value = "class-fast"
}
