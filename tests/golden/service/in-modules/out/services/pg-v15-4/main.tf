resource "terraform_data" "release" {
  input = { version = "15.4" }
}

output "host" {
  value = "db"
}

output "port" {
  value = 5432
}
