variable "names" {
  type = list(string)
}

module "app" {
  source = "./app"
  names  = [for name in var.names : "app-${name}"]
}
