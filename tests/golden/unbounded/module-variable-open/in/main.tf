variable "engine_version" {
  type = string
}

module "database" {
  source            = "./database"
  version_of_engine = var.engine_version
}
