variable "size" {
  type = number
}

output "engine" {
  value = "sqlite"
}

# One value, whatever happens.
resource "terraform_data" "disk" {
  input = "FILE"
}
