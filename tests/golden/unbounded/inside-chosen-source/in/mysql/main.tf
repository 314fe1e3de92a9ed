output "engine" {
  value = "mysql"
}

# A literal needs nothing.
resource "terraform_data" "disk" {
  input = 30
}
