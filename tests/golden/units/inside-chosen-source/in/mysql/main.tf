variable "size" {
  type = number
}

output "engine" {
  value = "mysql"
}

resource "terraform_data" "disk" {
  input = "${var.size} GB"
}

resource "terraform_data" "backup" {
  input = terraform_data.disk.id
}
