variable "engine_version" {
  type = string
}

module "database" {
  source = "./database"
  wanted = var.engine_version
}
