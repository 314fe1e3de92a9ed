# aws_elasticache_cluster of one node, as a release of Valkey.

variable "cluster_id" {
  description = "The name of the release and of everything that belongs to it."
  type        = string
}

variable "engine_version" {
  description = "The version of Valkey, or of Redis OSS before it, whose follower is 7.2. The patch is the image's."
  type        = string
  default     = "9.1"
  nullable    = false
}

variable "node_type" {
  description = "What a pod gets of CPU and memory."
  type        = string
}

variable "num_cache_nodes" {
  description = "Only 1 is possible."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = var.num_cache_nodes == 1
    error_message = "A cluster of Redis has one node. Use a replication group for more."
  }
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

  # valkey.io/download of 2026-11-18. Valkey goes on from Redis OSS 7.2.4, so that 7.2 is what follows 7.0 and 7.1.
  tags = {
    "7.0" = "7.2.15"
    "7.1" = "7.2.15"
    "7.2" = "7.2.15"
    "8.0" = "8.0.12"
    "8.1" = "8.1.11"
    "9.0" = "9.0.8"
    "9.1" = "9.1.4"
  }
}

module "release" {
  source = "../release"

  name              = var.cluster_id
  image_tag         = local.tags[substr(var.engine_version, 0, 3)]
  node_type         = var.node_type
  replicas          = 0
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
  value = var.cluster_id
}

output "cluster_id" {
  value = var.cluster_id
}

output "cache_nodes" {
  value = [{ id = "0001", address = module.release.writer, port = var.port }]
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
