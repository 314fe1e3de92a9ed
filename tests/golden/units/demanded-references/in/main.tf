# Where Terraform demands a reference, a copy has one: what is decided and true is gone, what isn't names a local, or stays a variable.
variable "size" {
  type = string
}

module "app" {
  source = "./m"
  size   = var.size
}

output "all" {
  value = templatestring(module.app.all, { x = 1 })
}
