variable "size" {
  type = string
}

resource "terraform_data" "disk" {
  input = var.size == "a" ? "small" : "large"
}

output "size" {
  value = terraform_data.disk.input
}
