# A release of Valkey's chart.

terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = ">= 2.17.0"
    }
  }
}

variable "name" {
  description = "The name of the release."
  type        = string

  validation {
    condition     = can(regex("^[a-z]([-a-z0-9]{0,48}[a-z0-9])?$", lower(var.name)))
    error_message = "The identifier becomes the name of a release of Helm: at most 50 letters, digits and hyphens, a letter first."
  }
}

variable "image_tag" {
  description = "The tag of the image, which is the version."
  type        = string
}

variable "node_type" {
  description = "The node type of ElastiCache."
  type        = string

  validation {
    condition     = can(regex("^cache\\.(t[2-4]g?\\.(micro|small|medium)|[mr][4-8][a-z]*\\.(large|xlarge|2xlarge|4xlarge))$", var.node_type))
    error_message = "The service knows the sizes of cache.t, cache.m and cache.r nodes, micro to 4xlarge. Choose one of these."
  }
}

variable "replicas" {
  description = "How many replicas there are beside the primary."
  type        = number

  validation {
    condition     = var.replicas >= 0 && var.replicas <= 5
    error_message = "A replication group has one primary and at most five replicas."
  }
}

variable "port" {
  description = "The port."
  type        = number
}

variable "tls" {
  description = "Whether clients speak TLS."
  type        = bool
}

variable "storage" {
  description = "The size of each volume in GiB."
  type        = number
}

variable "storage_class" {
  description = "The storage class."
  type        = string
}

variable "namespace" {
  description = "The namespace."
  type        = string
}

variable "parameters" {
  description = "Parameters by their names in ElastiCache."
  type        = map(string)
}

variable "config" {
  description = "Lines of valkey.conf."
  type        = string
}

variable "auth_secret" {
  description = "The secret with the password."
  type        = string
}

variable "tls_secret" {
  description = "The secret with the certificate."
  type        = string
}

variable "mirror" {
  description = "The registry that images and charts come from."
  type        = string
}

variable "image_pull_secret" {
  description = "The secret for the registry."
  type        = string
}

locals {
  name = lower(var.name)

  # What a node of ElastiCache has for data, in MB, and what its pod gets besides for itself and for saving.
  sizes = {
    "t.micro"   = { cpu = "2", baseline = "200m", data = 512, memory = "768Mi" }
    "t.small"   = { cpu = "2", baseline = "400m", data = 1402, memory = "2Gi" }
    "t.medium"  = { cpu = "2", baseline = "400m", data = 3164, memory = "4Gi" }
    "m.large"   = { cpu = "2", baseline = "2", data = 6533, memory = "8Gi" }
    "m.xlarge"  = { cpu = "4", baseline = "4", data = 13240, memory = "16Gi" }
    "m.2xlarge" = { cpu = "8", baseline = "8", data = 26664, memory = "32Gi" }
    "m.4xlarge" = { cpu = "16", baseline = "16", data = 53514, memory = "64Gi" }
    "r.large"   = { cpu = "2", baseline = "2", data = 13383, memory = "16Gi" }
    "r.xlarge"  = { cpu = "4", baseline = "4", data = 26951, memory = "32Gi" }
    "r.2xlarge" = { cpu = "8", baseline = "8", data = 54087, memory = "64Gi" }
    "r.4xlarge" = { cpu = "16", baseline = "16", data = 108349, memory = "128Gi" }
  }
  type = split(".", var.node_type)
  size = local.sizes["${substr(local.type[1], 0, 1)}.${local.type[2]}"]

  # What ElastiCache and Valkey call the same: src/config.c of Redis OSS 7.2.4, which Valkey goes on from, and of Valkey 8.
  # maxmemory comes with the node type, and what the chart or the container decides isn't here.
  same = [
    "acllog-max-len", "activerehashing", "databases",
    "hash-max-listpack-entries", "hash-max-listpack-value", "hash-max-ziplist-entries", "hash-max-ziplist-value",
    "hll-sparse-max-bytes", "latency-tracking",
    "lazyfree-lazy-eviction", "lazyfree-lazy-expire", "lazyfree-lazy-server-del", "lazyfree-lazy-user-del", "lazyfree-lazy-user-flush",
    "lfu-decay-time", "lfu-log-factor", "list-compress-depth", "list-max-listpack-size", "list-max-ziplist-size",
    "maxmemory-policy", "maxmemory-samples", "min-replicas-max-lag", "min-replicas-to-write", "min-slaves-max-lag", "min-slaves-to-write",
    "notify-keyspace-events", "proto-max-bulk-len", "repl-backlog-size", "repl-backlog-ttl",
    "set-max-intset-entries", "set-max-listpack-entries", "slowlog-log-slower-than", "slowlog-max-len",
    "stream-node-max-bytes", "stream-node-max-entries", "tcp-keepalive", "timeout", "tracking-table-max-keys",
    "zset-max-listpack-entries", "zset-max-listpack-value", "zset-max-ziplist-entries", "zset-max-ziplist-value",
  ]
  unlike = [for name in keys(var.parameters) : name if !contains(local.same, name)]
  odd    = [for name, value in var.parameters : name if !can(regex("^[-A-Za-z0-9$]*$", value))]
  group  = join("", [for name, value in var.parameters : "${name} ${value == "" ? "\"\"" : value}\n"])

  class = var.storage_class == null ? "" : var.storage_class
  values = {
    fullnameOverride = local.name
    global = {
      imageRegistry    = var.mirror == null ? "" : var.mirror
      imagePullSecrets = var.image_pull_secret == null ? [] : [{ name = var.image_pull_secret }]
    }
    image   = { tag = var.image_tag }
    service = { port = var.port }
    resources = {
      requests = { cpu = local.size.baseline, memory = local.size.memory }
      limits   = { cpu = local.size.cpu, memory = local.size.memory }
    }
    valkeyConfig = "maxmemory ${local.size.data}mb\n${local.group}${var.config}"
    dataStorage = {
      enabled       = var.replicas == 0 && var.storage > 0
      requestedSize = "${var.storage}Gi"
      className     = local.class
    }
    replica = {
      enabled     = var.replicas > 0
      replicas    = var.replicas
      service     = { port = var.port }
      persistence = { size = "${var.storage}Gi", storageClass = local.class }
    }
    auth = {
      enabled             = var.auth_secret != null
      usersExistingSecret = var.auth_secret == null ? "" : var.auth_secret
      aclUsers            = { default = { permissions = "~* &* +@all" } }
    }
    tls = {
      enabled        = var.tls
      existingSecret = var.tls_secret == null ? "" : var.tls_secret
    }
  }
}

resource "helm_release" "valkey" {
  name             = local.name
  namespace        = var.namespace
  create_namespace = true
  repository       = var.mirror == null ? "https://valkey.io/valkey-helm/" : "oci://${var.mirror}/charts"
  chart            = "valkey"
  version          = "0.11.0"
  values           = [yamlencode(local.values)]

  lifecycle {
    precondition {
      condition     = !var.tls || var.tls_secret != null
      error_message = "transit_encryption_enabled needs a secret with a certificate. Name it in the form factor's inputs: tls_secret."
    }
    precondition {
      condition     = var.replicas == 0 || var.storage > 0
      error_message = "Replicas need a volume each. Give its size in the form factor's inputs: storage."
    }
    precondition {
      condition     = length(local.unlike) == 0
      error_message = "Valkey doesn't have these parameters of ElastiCache, or the service decides them: ${join(", ", local.unlike)}. Leave them out in the form factor's inputs: without_parameters = ${jsonencode(local.unlike)}. Lines of valkey.conf are given as config."
    }
    precondition {
      condition     = length(local.odd) == 0
      error_message = "The values of ${join(", ", local.odd)} are more than one word. Leave these parameters out in the form factor's inputs, without_parameters = ${jsonencode(local.odd)}, and give lines of valkey.conf as config."
    }
  }
}

output "writer" {
  description = "The service that leads to the primary."
  value       = "${local.name}.${var.namespace}.svc"
}

output "reader" {
  description = "The service that leads to all pods, and to the primary where it is the only one."
  value       = "${local.name}${var.replicas > 0 ? "-read" : ""}.${var.namespace}.svc"
}

output "version" {
  description = "The version in the image."
  value       = var.image_tag
}
