output "name" {
  value = "class-slow"
}
