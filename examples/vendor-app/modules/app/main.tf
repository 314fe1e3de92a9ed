# The application: where its data is, and what works on them.

variable "name" {
  type = string
}

variable "region" {
  type = string
}

variable "image" {
  type = string
}

variable "workers" {
  type = number
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

module "network" {
  source = "../network"

  name   = var.name
  region = var.region
}

module "data" {
  source = "../data"

  name             = var.name
  production       = var.production
  postgres_version = var.postgres_version
  queue_password   = var.queue_password
  vpc_id           = module.network.vpc_id
  subnet_ids       = module.network.subnet_ids
}

resource "aws_ecs_cluster" "app" {
  name = var.name
}

locals {
  environment = {
    DATABASE_HOST = module.data.database.address
    DATABASE_USER = module.data.database.username
    CACHE_HOST    = module.data.cache
    BUCKET        = module.data.bucket
    QUEUE         = module.data.queue
  }
  # As ECS names a key of a secret.
  secrets = {
    DATABASE_PASSWORD = "${module.data.database.secret}:password::"
  }
}

module "web" {
  source = "../container"

  name           = "${var.name}-web"
  image          = var.image
  command        = ["serve"]
  replicas       = var.production ? 2 : 1
  port           = 8080
  environment    = local.environment
  secrets        = local.secrets
  region         = var.region
  cluster        = aws_ecs_cluster.app.arn
  subnet_ids     = module.network.subnet_ids
  security_group = module.network.security_group
}

module "worker" {
  source = "../container"

  name           = "${var.name}-worker"
  image          = var.image
  command        = ["work"]
  replicas       = var.workers
  environment    = local.environment
  secrets        = local.secrets
  region         = var.region
  cluster        = aws_ecs_cluster.app.arn
  subnet_ids     = module.network.subnet_ids
  security_group = module.network.security_group
}

output "database" {
  value = module.data.database.address
}

output "cache" {
  value = module.data.cache
}

output "bucket" {
  value = module.data.bucket
}

output "queue" {
  value = module.data.queue
}
