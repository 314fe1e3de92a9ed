# One Cluster of CloudNativePG. The custom resource stands in a chart of its own, since kubernetes_manifest asks the API server
# for the definition already while it plans, and a new cluster has none before the operator is there.

terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = ">= 2.17.0"
    }
  }
}

variable "name" {
  description = "The name of the cluster."
  type        = string

  validation {
    condition     = can(regex("^[a-z]([-a-z0-9]{0,48}[a-z0-9])?$", lower(var.name)))
    error_message = "The identifier becomes the name of a cluster of CloudNativePG: at most 50 letters, digits and hyphens, a letter first."
  }
}

variable "instance_class" {
  description = "The class of RDS."
  type        = string

  validation {
    condition     = can(regex("^db\\.(t[2-4]g?\\.(micro|small|medium|large|xlarge|2xlarge)|[mr][4-8][a-z]*\\.(large|xlarge|2xlarge|4xlarge|8xlarge|12xlarge|16xlarge|24xlarge))$", var.instance_class))
    error_message = "The service knows the sizes of db.t, db.m and db.r classes, micro to 24xlarge. Choose one of these."
  }
}

variable "storage" {
  description = "The size of each volume in GiB."
  type        = number
}

variable "database" {
  description = "The database."
  type        = string
}

variable "owner" {
  description = "Its owner."
  type        = string

  validation {
    condition     = !contains(["postgres", "streaming_replica"], var.owner)
    error_message = "The operator keeps the roles postgres and streaming_replica for itself. Choose another user name."
  }
}

variable "instances" {
  description = "How many pods there are."
  type        = number
}

variable "namespace" {
  description = "The namespace."
  type        = string
}

variable "storage_class" {
  description = "The storage class."
  type        = string
}

variable "parameters" {
  description = "Parameters of PostgreSQL."
  type        = map(string)
}

variable "mirror" {
  description = "The registry that images come from."
  type        = string
}

variable "image_pull_secret" {
  description = "The secret for the registry."
  type        = string
}

variable "operator" {
  description = "What says that the operator is there."
  type        = string
}

locals {
  name = lower(var.name)

  image = "16.15-202608170814-standard-trixie@sha256:3df9103d7f89c8abc2870463d4d446944c81b5f1f4b707c590895dc003ecbb65"

  # cloudnative-pg/cloudnative-pg, pkg/postgres/configuration.go: the operator sets these itself, and its webhook refuses them.
  fixed = [
    "allow_alter_system", "allow_system_table_mods", "archive_cleanup_command", "archive_command", "archive_mode", "bonjour",
    "bonjour_name", "cluster_name", "config_file", "data_directory", "data_sync_retry", "event_source", "external_pid_file",
    "hba_file", "hot_standby", "ident_file", "jit_provider", "listen_addresses", "log_destination", "log_directory",
    "log_file_mode", "log_filename", "log_rotation_age", "log_rotation_size", "log_truncate_on_rotation", "logging_collector",
    "pg_failover_slots.primary_dsn", "pg_failover_slots.standby_slot_names", "port", "primary_conninfo", "primary_slot_name",
    "promote_trigger_file", "recovery_end_command", "recovery_min_apply_delay", "recovery_target", "recovery_target_action",
    "recovery_target_inclusive", "recovery_target_lsn", "recovery_target_name", "recovery_target_time",
    "recovery_target_timeline", "recovery_target_xid", "restart_after_crash", "restore_command", "shared_preload_libraries",
    "ssl", "ssl_ca_file", "ssl_cert_file", "ssl_crl_file", "ssl_dh_params_file", "ssl_ecdh_curve", "ssl_key_file",
    "ssl_passphrase_command", "ssl_passphrase_command_supports_reload", "ssl_prefer_server_ciphers", "stats_temp_directory",
    "synchronized_standby_slots", "synchronous_standby_names", "syslog_facility", "syslog_ident", "syslog_sequence_numbers",
    "syslog_split_messages", "temp_tablespaces", "unix_socket_directories", "unix_socket_group", "unix_socket_permissions",
  ]
  kept     = [for name in keys(var.parameters) : name if contains(local.fixed, name)]
  of_rds   = [for name in keys(var.parameters) : name if startswith(name, "rds.") || startswith(name, "apg_")]
  formulas = [for name, value in var.parameters : name if strcontains(value, "{")]

  # What a class of RDS has. A burstable class asks for its baseline and may take all of its CPUs.
  sizes = {
    "t.micro"    = { cpu = "2", baseline = "200m", memory = "1Gi" }
    "t.small"    = { cpu = "2", baseline = "400m", memory = "2Gi" }
    "t.medium"   = { cpu = "2", baseline = "400m", memory = "4Gi" }
    "t.large"    = { cpu = "2", baseline = "600m", memory = "8Gi" }
    "t.xlarge"   = { cpu = "4", baseline = "1600m", memory = "16Gi" }
    "t.2xlarge"  = { cpu = "8", baseline = "3200m", memory = "32Gi" }
    "m.large"    = { cpu = "2", baseline = "2", memory = "8Gi" }
    "m.xlarge"   = { cpu = "4", baseline = "4", memory = "16Gi" }
    "m.2xlarge"  = { cpu = "8", baseline = "8", memory = "32Gi" }
    "m.4xlarge"  = { cpu = "16", baseline = "16", memory = "64Gi" }
    "m.8xlarge"  = { cpu = "32", baseline = "32", memory = "128Gi" }
    "m.12xlarge" = { cpu = "48", baseline = "48", memory = "192Gi" }
    "m.16xlarge" = { cpu = "64", baseline = "64", memory = "256Gi" }
    "m.24xlarge" = { cpu = "96", baseline = "96", memory = "384Gi" }
    "r.large"    = { cpu = "2", baseline = "2", memory = "16Gi" }
    "r.xlarge"   = { cpu = "4", baseline = "4", memory = "32Gi" }
    "r.2xlarge"  = { cpu = "8", baseline = "8", memory = "64Gi" }
    "r.4xlarge"  = { cpu = "16", baseline = "16", memory = "128Gi" }
    "r.8xlarge"  = { cpu = "32", baseline = "32", memory = "256Gi" }
    "r.12xlarge" = { cpu = "48", baseline = "48", memory = "384Gi" }
    "r.16xlarge" = { cpu = "64", baseline = "64", memory = "512Gi" }
    "r.24xlarge" = { cpu = "96", baseline = "96", memory = "768Gi" }
  }
  class = split(".", var.instance_class)
  size  = local.sizes["${substr(local.class[1], 0, 1)}.${local.class[2]}"]

  storage_class = var.storage_class == null ? {} : { storageClass = var.storage_class }
  pull_secrets  = var.image_pull_secret == null ? {} : { imagePullSecrets = [{ name = var.image_pull_secret }] }

  cluster = {
    apiVersion = "postgresql.cnpg.io/v1"
    kind       = "Cluster"
    metadata   = { name = local.name }
    spec = merge(local.pull_secrets, {
      instances  = var.instances
      imageName  = "${coalesce(var.mirror, "ghcr.io")}/cloudnative-pg/postgresql:${local.image}"
      bootstrap  = { initdb = { database = var.database, owner = var.owner } }
      postgresql = { parameters = var.parameters }
      resources = {
        requests = { cpu = local.size.baseline, memory = local.size.memory }
        limits   = { cpu = local.size.cpu, memory = local.size.memory }
      }
      storage = merge(local.storage_class, { size = "${var.storage}Gi" })
    })
  }
}

resource "helm_release" "cluster" {
  name             = local.name
  namespace        = var.namespace
  create_namespace = true
  chart            = ".phi/services/cloudnative-pg/cluster/chart"
  values           = [yamlencode({ manifests = [local.cluster] })]

  lifecycle {
    precondition {
      condition     = length(local.kept) == 0
      error_message = "CloudNativePG sets these parameters itself: ${join(", ", local.kept)}. Leave them out in the form factor's inputs: without_parameters = ${jsonencode(local.kept)}."
    }
    precondition {
      condition     = length(local.of_rds) == 0
      error_message = "Only RDS has these parameters: ${join(", ", local.of_rds)}. Leave them out in the form factor's inputs: without_parameters = ${jsonencode(local.of_rds)}."
    }
    precondition {
      condition     = length(local.formulas) == 0
      error_message = "Only RDS takes formulas in braces, for ${join(", ", local.formulas)}. Give values in the form factor's inputs: parameters = { max_connections = \"200\" }."
    }
  }

  depends_on = [var.operator]
}

output "writer" {
  description = "The service that leads to the primary."
  value       = "${local.name}-rw.${var.namespace}.svc"
}

output "reader" {
  description = "The service that leads to replicas, and to the primary where there is none."
  value       = "${local.name}-${var.instances > 1 ? "ro" : "r"}.${var.namespace}.svc"
}

output "secret" {
  description = "The secret with the owner's password, which the operator makes."
  value       = "${local.name}-app"
}

output "version" {
  description = "The version in the image."
  value       = "16.15"
}
