variable "name" {
  type = string
}

variable "production" {
  type = bool
}

variable "postgres_version" {
  type = string
}

variable "queue_password" {
  type      = string
  sensitive = true
}

variable "vpc_id" {
  type = string
}

variable "subnet_ids" {
  type = list(string)
}

module "postgres" {
  source = "../postgres"

  name       = "${var.name}-postgres"
  release    = var.postgres_version
  class      = var.production ? "db.m6g.large" : "db.t4g.medium"
  storage    = var.production ? 200 : 20
  standby    = var.production
  vpc_id     = var.vpc_id
  subnet_ids = var.subnet_ids
}

module "cache" {
  source = "../cache"

  name       = "${var.name}-cache"
  replicas   = var.production ? 2 : 0
  subnet_ids = var.subnet_ids
}

module "bucket" {
  source = "../bucket"

  name      = "${var.name}-files"
  versioned = var.production
}

module "queue" {
  source = "../queue"

  name       = "${var.name}-queue"
  clustered  = var.production
  password   = var.queue_password
  subnet_ids = var.subnet_ids
}

output "database" {
  value = module.postgres
}

output "cache" {
  value = module.cache.address
}

output "bucket" {
  value = module.bucket.name
}

output "queue" {
  value = module.queue.endpoint
}
