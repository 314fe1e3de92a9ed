output "engine" {
  value = "mysql"
}
