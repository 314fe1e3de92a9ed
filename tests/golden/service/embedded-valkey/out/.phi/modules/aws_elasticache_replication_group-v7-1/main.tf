# aws_elasticache_replication_group, as a release of Valkey.

variable "replication_group_id" {
  description = "The name of the release and of everything that belongs to it."
  type        = string
}

variable "node_type" {
  description = "What a pod gets of CPU and memory."
  type        = string
}

variable "num_cache_clusters" {
  description = "The primary and its replicas."
  type        = number
  default     = 1
  nullable    = false
}

variable "port" {
  description = "The port."
  type        = number
  default     = 6379
  nullable    = false
}

variable "transit_encryption_enabled" {
  description = "Whether clients speak TLS; needs tls_secret."
  type        = bool
  default     = false
  nullable    = false
}

variable "storage" {
  description = "The size of each volume in GiB; 0 for none, without replicas."
  type        = number
  default     = 8
  nullable    = false
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

variable "parameter_group" {
  description = "The parameter group: its parameters become lines of valkey.conf."
  type        = object({ parameter = optional(list(object({ name = string, value = string }))) })
  default     = null
}

variable "without_parameters" {
  description = "Parameters of the parameter group that are left out."
  type        = list(string)
  default     = []
  nullable    = false
}

variable "config" {
  description = "Lines of valkey.conf, which go before those of the parameter group."
  type        = string
  default     = ""
  nullable    = false
}

variable "auth_secret" {
  description = "The secret with the password of the user default, under the key default; without it, anybody in the cluster may log in."
  type        = string
  default     = null
}

variable "tls_secret" {
  description = "The secret with server.crt, server.key and ca.crt."
  type        = string
  default     = null
}

variable "mirror" {
  description = "The registry that images and charts come from: charts/valkey and valkey/valkey below it."
  type        = string
  default     = null
}

variable "image_pull_secret" {
  description = "The secret for the registry."
  type        = string
  default     = null
}

locals {
  group = { for p in try([for p in var.parameter_group.parameter : p], []) : p.name => p.value if !contains(var.without_parameters, p.name) }

}

module "release" {
  source = "../release-v7-2-15"

  name              = var.replication_group_id
  node_type         = var.node_type
  replicas          = var.num_cache_clusters - 1
  port              = var.port
  tls               = var.transit_encryption_enabled
  storage           = var.storage
  storage_class     = var.storage_class
  namespace         = var.namespace
  parameters        = local.group
  config            = var.config
  auth_secret       = var.auth_secret
  tls_secret        = var.tls_secret
  mirror            = var.mirror
  image_pull_secret = var.image_pull_secret
}

output "id" {
  value = var.replication_group_id
}

output "replication_group_id" {
  value = var.replication_group_id
}

output "primary_endpoint_address" {
  value = module.release.writer
}

output "reader_endpoint_address" {
  value = module.release.reader
}

output "port" {
  value = var.port
}

output "engine" {
  value = "valkey"
}

output "engine_version_actual" {
  value = module.release.version
}

output "node_type" {
  value = var.node_type
}

output "num_cache_clusters" {
  value = var.num_cache_clusters
}

output "transit_encryption_enabled" {
  value = var.transit_encryption_enabled
}
