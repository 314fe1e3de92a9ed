resource "terraform_data" "release" {
  input = { version = "14.9" }
}

output "host" {
  value = "db"
}

output "port" {
  value = 5432
}
