# aws_mq_broker with engine_type = "RabbitMQ", on RabbitMQ's operator.

variable "broker_name" {
  description = "The name of the cluster and of everything that belongs to it; an underscore becomes a hyphen."
  type        = string
}

variable "engine_version" {
  description = "The version of RabbitMQ. The minor version counts; the patch is the image's."
  type        = string
  default     = "4.2"
  nullable    = false
}

variable "host_instance_type" {
  description = "What a pod gets of CPU and memory."
  type        = string
}

variable "deployment_mode" {
  description = "One pod for SINGLE_INSTANCE, three for CLUSTER_MULTI_AZ."
  type        = string
  default     = "SINGLE_INSTANCE"
  nullable    = false

  validation {
    condition     = contains(["SINGLE_INSTANCE", "CLUSTER_MULTI_AZ"], var.deployment_mode)
    error_message = "RabbitMQ has the deployment modes SINGLE_INSTANCE and CLUSTER_MULTI_AZ."
  }
}

variable "user" {
  description = "Of it username names the user."
  type        = object({ username = string })
}

variable "user_secret" {
  description = "Where the user's password comes from: \"\" for the operator, which makes one and keeps it in the secret NAME-default-user, or the name of a secret with username, password and default_user.conf. A password of the resource isn't used."
  type        = string
}

variable "authentication_strategy" {
  description = "Only simple is possible."
  type        = string
  default     = "simple"
  nullable    = false

  validation {
    condition     = var.authentication_strategy == "simple"
    error_message = "The broker has its users itself. Leave authentication_strategy out, or set it to simple."
  }
}

variable "configuration" {
  description = "The lines of the aws_mq_configuration whose id it names."
  type        = object({ id = optional(string) })
  default     = null

  validation {
    condition     = !can(regex("^c-[0-9a-f-]+$", var.configuration.id))
    error_message = "A configuration in AWS can't be read. Name the id of an aws_mq_configuration of the same tree, or give its lines as an input of the form factor: config."
  }
}

variable "config" {
  description = "More lines of rabbitmq.conf."
  type        = string
  default     = ""
  nullable    = false
}

variable "tls_secret" {
  description = "The secret with tls.crt and tls.key. With it clients speak TLS alone, on port 5671; without it none, on port 5672."
  type        = string
  default     = null
}

variable "storage" {
  description = "The size of each volume in GiB; otherwise 20 for mq.t3.micro and 200 for all others."
  type        = number
  default     = null
}

variable "storage_class" {
  description = "The storage class; otherwise the cluster's default."
  type        = string
  default     = null
}

variable "namespace" {
  description = "The namespace."
  type        = string
  default     = "default"
  nullable    = false
}

variable "mirror" {
  description = "The registry that the image comes from in the place of docker.io: library/rabbitmq below it."
  type        = string
  default     = null
}

variable "image_pull_secret" {
  description = "The secret for the registry."
  type        = string
  default     = null
}

variable "operator" {
  description = "What says that the operator is there."
  type        = string
  default     = null
}

module "cluster" {
  source = "../cluster"

  name              = var.broker_name
  engine_version    = var.engine_version
  instance_type     = var.host_instance_type
  replicas          = var.deployment_mode == "CLUSTER_MULTI_AZ" ? 3 : 1
  username          = var.user.username
  user_secret       = var.user_secret
  config            = "${try(coalesce(var.configuration.id, ""), "")}\n${var.config}"
  tls_secret        = var.tls_secret
  storage           = var.storage
  storage_class     = var.storage_class
  namespace         = var.namespace
  mirror            = var.mirror
  image_pull_secret = var.image_pull_secret
  operator          = var.operator
}

output "instances" {
  description = "As AWS has it, with names within the cluster."
  value       = [{ console_url = module.cluster.console, endpoints = [module.cluster.endpoint], ip_address = null }]
}

output "broker_name" {
  value = var.broker_name
}

output "engine_type" {
  value = "RabbitMQ"
}

output "engine_version" {
  value = var.engine_version
}

output "deployment_mode" {
  value = var.deployment_mode
}

output "host_instance_type" {
  value = var.host_instance_type
}
