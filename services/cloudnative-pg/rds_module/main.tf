# terraform-aws-modules/rds/aws with engine = "postgres", on CloudNativePG.

variable "identifier" {
  description = "The name of the cluster and of everything that belongs to it."
  type        = string
}

variable "engine_version" {
  description = "The version of PostgreSQL. The major version counts; the minor one is the image's."
  type        = string
  default     = "17"
  nullable    = false
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

variable "parameters" {
  description = "Parameters of PostgreSQL: a list of name and value, or an input of the form factor, a map."
  type        = any
  default     = {}
  nullable    = false
}

variable "without_parameters" {
  description = "Parameters of the call that are left out."
  type        = list(string)
  default     = []
  nullable    = false
}

variable "create_db_instance" {
  description = "Only true is possible; count decides whether there is a database."
  type        = bool
  default     = true
  nullable    = false

  validation {
    condition     = var.create_db_instance
    error_message = "The service has no create_db_instance. Give the call a count in its place."
  }
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
  named      = try({ for p in var.parameters : p.name => tostring(p.value) }, var.parameters)
  parameters = { for name, value in local.named : name => value if !contains(var.without_parameters, name) }
}

module "cluster" {
  source = "../cluster"

  name              = var.identifier
  engine_version    = var.engine_version
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

output "db_instance_address" {
  value = module.cluster.writer
}

output "db_instance_endpoint" {
  value = "${module.cluster.writer}:5432"
}

output "db_instance_port" {
  value = 5432
}

output "db_instance_identifier" {
  value = var.identifier
}

output "db_instance_engine" {
  value = "postgres"
}

output "db_instance_engine_version_actual" {
  value = module.cluster.version
}

output "db_instance_name" {
  value = var.db_name
}

output "db_instance_username" {
  value = var.username
}

output "db_instance_master_user_secret_arn" {
  description = "The name of a secret of Kubernetes in the place of an ARN."
  value       = module.cluster.secret
}
