# aws_rds_cluster with engine = "aurora-postgresql", on CloudNativePG.

variable "cluster_identifier" {
  description = "The name of the cluster and of everything that belongs to it."
  type        = string
}

variable "engine_version" {
  description = "The version of PostgreSQL. The major version counts; the minor one is the image's."
  type        = string
  default     = "17"
  nullable    = false
}

variable "database_name" {
  description = "The database."
  type        = string
  default     = "app"
  nullable    = false
}

variable "master_username" {
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

variable "storage" {
  description = "The size of each volume in GiB. Aurora has no such argument, so it is an input of the form factor."
  type        = number
}

variable "instance_class" {
  description = "What a pod gets of CPU and memory. In Aurora the instances have it, so it is an input of the form factor."
  type        = string
  default     = "db.r6g.large"
  nullable    = false
}

variable "instances" {
  description = "How many pods there are."
  type        = number
  default     = 2
  nullable    = false
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
  group      = { for p in try([for p in var.parameter_group.parameter : p], []) : p.name => p.value if !contains(var.without_parameters, p.name) }
  parameters = merge(local.group, var.parameters)
}

module "cluster" {
  source = "../cluster"

  name              = var.cluster_identifier
  engine_version    = var.engine_version
  instance_class    = var.instance_class
  storage           = var.storage
  database          = var.database_name
  owner             = var.master_username
  instances         = var.instances
  namespace         = var.namespace
  storage_class     = var.storage_class
  parameters        = local.parameters
  mirror            = var.mirror
  image_pull_secret = var.image_pull_secret
  operator          = var.operator
}

output "endpoint" {
  value = module.cluster.writer
}

output "reader_endpoint" {
  value = module.cluster.reader
}

output "port" {
  value = 5432
}

output "cluster_identifier" {
  value = var.cluster_identifier
}

output "id" {
  value = var.cluster_identifier
}

output "engine" {
  value = "aurora-postgresql"
}

output "engine_version" {
  value = var.engine_version
}

output "engine_version_actual" {
  value = module.cluster.version
}

output "database_name" {
  value = var.database_name
}

output "master_username" {
  value = var.master_username
}

output "master_user_secret" {
  description = "As AWS has it, with the name of a secret of Kubernetes in the place of an ARN."
  value       = [{ secret_arn = module.cluster.secret, secret_status = "active", kms_key_id = null }]
}
