variable "size" {
  type = number
}

module "class" {
  source = "../storage/class-v16-2"
}

resource "terraform_data" "volume" {
  count = 1
  input = { version = "16.2", size = var.size, class = module.class.name }
}

output "host" {
  value = one(terraform_data.volume[*].output.class)
}
