variable "size" {
  type = number
}

output "engine" {
  value = "postgres"
}

# The same name, and another choice.
resource "terraform_data" "disk" {
  input = var.size > 50 ? "fast" : "slow"
}
