variable "allocated_storage" {
  type = number
}

module "image" {
  source = "../pg/image-v16"
}

resource "terraform_data" "database" {
  input = {
    chart = "0.21"
    image = module.image.name
    size  = var.allocated_storage
    fast  = true
  }
}

output "host" {
  value = "db"
}
