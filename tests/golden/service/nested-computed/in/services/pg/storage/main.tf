variable "large" {
  type = bool
}

variable "name" {
  type = string
}

variable "size" {
  type = number
}

module "class" {
  source = "./class"

  class = var.large ? "fast" : "slow"
}

resource "terraform_data" "volume" {
  input = { name = var.name, size = var.large ? var.size * 2 : var.size, class = module.class.name }
}

output "host" {
  value = terraform_data.volume.output.name
}
