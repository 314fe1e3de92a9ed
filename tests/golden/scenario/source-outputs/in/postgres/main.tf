output "engine" {
  value = "postgres"
}
