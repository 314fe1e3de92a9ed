output "name" {
  value = "old"
}
