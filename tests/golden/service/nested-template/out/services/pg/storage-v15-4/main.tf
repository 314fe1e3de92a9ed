variable "size" {
  type = number
}

resource "terraform_data" "disk" {
  count = 1
  input = { version = "15.4", size = var.size }
}

output "host" {
  value = one(terraform_data.disk[*].output.version)
}
