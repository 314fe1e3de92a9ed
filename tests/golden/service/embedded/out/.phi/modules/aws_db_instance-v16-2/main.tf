# aws_db_instance with engine = "postgres", on CloudNativePG.

variable "identifier" {
  description = "The name of the cluster and of everything that belongs to it."
  type        = string
}

variable "instance_class" {
  description = "What a pod gets of CPU and memory."
  type        = string
}

variable "allocated_storage" {
  description = "The size of the volume in GiB."
  type        = number
}

variable "db_name" {
  description = "The database."
  type        = string
  default     = "app"
  nullable    = false
}

variable "username" {
  description = "The owner of the database."
  type        = string
  default     = "app"
  nullable    = false
}

variable "port" {
  description = "Only 5432 is possible."
  type        = number
  default     = 5432
  nullable    = false

  validation {
    condition     = var.port == 5432
    error_message = "CloudNativePG listens on port 5432 only. Leave the argument port out."
  }
}

variable "multi_az" {
  description = "Whether there is a standby."
  type        = bool
  default     = false
  nullable    = false
}

variable "instances" {
  description = "How many pods there are; otherwise multi_az decides between 1 and 2."
  type        = number
  default     = null
}

variable "namespace" {
  description = "The namespace."
  type        = string
  default     = "default"
  nullable    = false
}

variable "storage_class" {
  description = "The storage class; otherwise the cluster's default."
  type        = string
  default     = null
}

variable "parameter_group" {
  description = "The parameter group: its parameters become those of PostgreSQL."
  type        = object({ parameter = optional(list(object({ name = string, value = string }))) })
  default     = null
}

variable "parameters" {
  description = "Parameters of PostgreSQL, which go before those of the parameter group."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "without_parameters" {
  description = "Parameters of the parameter group that are left out."
  type        = list(string)
  default     = []
  nullable    = false
}

variable "mirror" {
  description = "The registry that images come from in the place of ghcr.io."
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

locals {
  instances  = var.multi_az ? 2 : 1
  group      = { for p in try([for p in var.parameter_group.parameter : p], []) : p.name => p.value if !contains(var.without_parameters, p.name) }
  parameters = merge(local.group, var.parameters)
}

module "cluster" {
  source = "../cluster-v16-2"

  name              = var.identifier
  instance_class    = var.instance_class
  storage           = var.allocated_storage
  database          = var.db_name
  owner             = var.username
  instances         = coalesce(var.instances, local.instances)
  namespace         = var.namespace
  storage_class     = var.storage_class
  parameters        = local.parameters
  mirror            = var.mirror
  image_pull_secret = var.image_pull_secret
  operator          = var.operator
}

output "address" {
  value = module.cluster.writer
}

output "endpoint" {
  value = "${module.cluster.writer}:5432"
}

output "port" {
  value = 5432
}

output "identifier" {
  value = var.identifier
}

output "id" {
  value = var.identifier
}

output "engine" {
  value = "postgres"
}

output "engine_version" {
  value = "16.2"
}

output "engine_version_actual" {
  value = module.cluster.version
}

output "instance_class" {
  value = var.instance_class
}

output "allocated_storage" {
  value = var.allocated_storage
}

output "multi_az" {
  value = var.multi_az
}

output "db_name" {
  value = var.db_name
}

output "username" {
  value = var.username
}

output "master_user_secret" {
  description = "As AWS has it, with the name of a secret of Kubernetes in the place of an ARN."
  value       = [{ secret_arn = module.cluster.secret, secret_status = "active", kms_key_id = null }]
}
