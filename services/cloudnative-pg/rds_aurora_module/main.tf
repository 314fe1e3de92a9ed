# terraform-aws-modules/rds-aurora/aws with engine = "aurora-postgresql", on CloudNativePG. Versions 9 and 10 of the module.

variable "name" {
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
  description = "What a pod gets of CPU and memory; otherwise what the instances have in common, or db.r6g.large."
  type        = string
  default     = null
}

variable "instances" {
  description = "The instances, each of which becomes a pod: a map, or their number as an input of the form factor. Without any there are 2."
  type        = any
  default     = {}
  nullable    = false

  validation {
    condition     = length(distinct(compact([for i in try(values(var.instances), []) : try(i.instance_class, "")]))) <= 1
    error_message = "The pods of a cluster are alike. Give all instances one instance_class."
  }
}

variable "create" {
  description = "Only true is possible; count decides whether there is a database."
  type        = bool
  default     = true
  nullable    = false

  validation {
    condition     = var.create
    error_message = "The service has no create. Give the call a count in its place."
  }
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

variable "cluster_parameter_group" {
  description = "Its parameters become those of PostgreSQL."
  type        = any
  default     = null
}

variable "db_parameter_group" {
  description = "Its parameters become those of PostgreSQL, and go before those of cluster_parameter_group."
  type        = any
  default     = null
}

variable "db_cluster_parameter_group_parameters" {
  description = "The same in version 9 of the module."
  type        = any
  default     = []
  nullable    = false
}

variable "db_parameter_group_parameters" {
  description = "The same in version 9 of the module."
  type        = any
  default     = []
  nullable    = false
}

variable "parameters" {
  description = "Parameters of PostgreSQL, which go before those of the parameter groups."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "without_parameters" {
  description = "Parameters of the parameter groups that are left out."
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
  class   = coalesce(var.instance_class, one(distinct(compact([for i in try(values(var.instances), []) : try(i.instance_class, "")]))), "db.r6g.large")
  counted = try(tonumber(var.instances), length(var.instances))
  pods    = local.counted == 0 ? 2 : local.counted
  groups = concat(
    [for p in try(var.cluster_parameter_group.parameters, []) : p],
    [for p in var.db_cluster_parameter_group_parameters : p],
    [for p in try(var.db_parameter_group.parameters, []) : p],
    [for p in var.db_parameter_group_parameters : p],
  )
  group      = { for p in local.groups : p.name => tostring(p.value)... if !contains(var.without_parameters, p.name) }
  parameters = merge({ for name, values in local.group : name => reverse(values)[0] }, var.parameters)
}

module "cluster" {
  source = "../cluster"

  name              = var.name
  engine_version    = var.engine_version
  instance_class    = local.class
  storage           = var.storage
  database          = var.database_name
  owner             = var.master_username
  instances         = local.pods
  namespace         = var.namespace
  storage_class     = var.storage_class
  parameters        = local.parameters
  mirror            = var.mirror
  image_pull_secret = var.image_pull_secret
  operator          = var.operator
}

output "cluster_id" {
  value = var.name
}

output "cluster_endpoint" {
  value = module.cluster.writer
}

output "cluster_reader_endpoint" {
  value = module.cluster.reader
}

output "cluster_engine_version_actual" {
  value = module.cluster.version
}

output "cluster_database_name" {
  value = var.database_name
}

output "cluster_port" {
  value = 5432
}

output "cluster_master_username" {
  value = var.master_username
}

output "cluster_master_user_secret" {
  description = "As AWS has it, with the name of a secret of Kubernetes in the place of an ARN."
  value       = [{ secret_arn = module.cluster.secret, secret_status = "active", kms_key_id = null }]
}
