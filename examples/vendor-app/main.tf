# An application as its vendor runs it on AWS: web and worker on ECS, PostgreSQL on RDS, a cache, a bucket, a queue.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

provider "aws" {
  region = var.region
}

variable "customer" {
  description = "For whom the stack is; the first part of every name."
  type        = string
}

variable "customer_env" {
  description = "Which environment this is."
  type        = string

  validation {
    condition     = contains(["dev", "prod"], var.customer_env)
    error_message = "There is dev, and there is prod."
  }
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "postgres_version" {
  description = "The version of PostgreSQL outside of prod."
  type        = string
  default     = "17"
}

variable "image" {
  description = "The application, without its tag."
  type        = string
  default     = "registry.example/vendor/app"
}

variable "release" {
  description = "The application's version."
  type        = string
}

variable "workers" {
  type    = number
  default = 1
}

variable "queue_password" {
  description = "The password of the queue's user on AWS."
  type        = string
  default     = null
  sensitive   = true
}

module "app" {
  source = "./modules/app"

  name             = "${var.customer}-${var.customer_env}"
  region           = var.region
  image            = "${var.image}:${var.release}"
  workers          = var.workers
  production       = var.customer_env == "prod"
  postgres_version = var.customer_env == "prod" ? "16" : var.postgres_version
  queue_password   = var.queue_password
}

output "database" {
  value = module.app.database
}

output "cache" {
  value = module.app.cache
}

output "bucket" {
  value = module.app.bucket
}

output "queue" {
  value = module.app.queue
}
