variable "name" {
  type = string
}

variable "size" {
  type = number
}

module "class" {
  source = "../storage/class-fast"
}

resource "terraform_data" "volume" {
  input = { name = var.name, size = var.size * 2, class = module.class.name }
}

output "host" {
  value = terraform_data.volume.output.name
}
