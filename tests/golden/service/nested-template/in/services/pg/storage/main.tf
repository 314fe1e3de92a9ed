variable "engine_version" {
  type = string
}

variable "size" {
  type = number
}

locals {
  new = var.engine_version == "16.2"
}

module "class" {
  source = "./class"

  release = var.engine_version
}

resource "terraform_data" "volume" {
  count = local.new ? 1 : 0
  input = { version = var.engine_version, size = var.size, class = module.class.name }
}

resource "terraform_data" "disk" {
  count = local.new ? 0 : 1
  input = { version = var.engine_version, size = var.size }
}

output "host" {
  value = local.new ? one(terraform_data.volume[*].output.class) : one(terraform_data.disk[*].output.version)
}
