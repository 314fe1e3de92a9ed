variable "instance_size" { type = string }

module "db" {
  source = "./db"
  size   = var.instance_size
}

output "db" { value = module.db.size }
