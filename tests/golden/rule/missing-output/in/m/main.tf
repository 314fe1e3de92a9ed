output "host" {
  value = "db.internal"
}
