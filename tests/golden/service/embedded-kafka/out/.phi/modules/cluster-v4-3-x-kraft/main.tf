# One Kafka of Strimzi, with a pool of brokers and one of controllers. The custom resources stand in a chart of their own, since
# kubernetes_manifest asks the API server for their definitions already while it plans, and a new cluster has none before the
# operator is there.

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
    condition     = can(regex("^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$", lower(var.name)))
    error_message = "The name becomes that of a cluster of Strimzi: at most 40 letters, digits and hyphens, a letter first."
  }
}

variable "brokers" {
  description = "How many brokers there are."
  type        = number

  validation {
    condition     = var.brokers >= 1
    error_message = "A cluster has one broker at least."
  }
}

variable "instance_type" {
  description = "The instance type of MSK."
  type        = string

  validation {
    condition     = can(regex("^(kafka\\.t3\\.small|(kafka|express)\\.m[5-8][a-z]*\\.(large|xlarge|2xlarge|4xlarge|8xlarge|12xlarge|16xlarge|24xlarge))$", var.instance_type))
    error_message = "The service knows the sizes of kafka.t3.small, and of kafka.m and express.m instances, large to 24xlarge. Choose one of these."
  }
}

variable "storage" {
  description = "The size of a broker's volume in GiB."
  type        = number
}

variable "plain" {
  description = "Whether there is a listener without TLS."
  type        = bool
}

variable "tls" {
  description = "Whether there is one with TLS."
  type        = bool
}

variable "mutual" {
  description = "Whether that one asks clients for a certificate."
  type        = bool
}

variable "scram" {
  description = "Whether there is one with passwords."
  type        = bool
}

variable "config" {
  description = "Properties of Kafka."
  type        = map(string)
}

variable "users" {
  description = "Names of users."
  type        = list(string)
}

variable "storage_class" {
  description = "The storage class."
  type        = string
}

variable "namespace" {
  description = "The namespace."
  type        = string
}

variable "operator" {
  description = "What says that the operator is there."
  type        = string
}

locals {
  name = lower(var.name)
  # strimzi-kafka-operator 1.2.0, kafka-versions.yaml. The operator takes the image by the version: strimzi/kafka.
  versions = {
    "4.2.0" = { metadata = "4.2-IV1", image = "1.2.0-kafka-4.2.0" }
    "4.2.1" = { metadata = "4.2-IV1", image = "1.2.0-kafka-4.2.1" }
    "4.3.0" = { metadata = "4.3-IV0", image = "1.2.0-kafka-4.3.0" }
    "4.3.1" = { metadata = "4.3-IV0", image = "1.2.0-kafka-4.3.1" }
  }
  version = "4.3.1"

  # What an instance of MSK has. The burstable one asks for its baseline and may take all of its CPUs.
  sizes = {
    "t.small"    = { cpu = "2", baseline = "400m", memory = "2Gi" }
    "m.large"    = { cpu = "2", baseline = "2", memory = "8Gi" }
    "m.xlarge"   = { cpu = "4", baseline = "4", memory = "16Gi" }
    "m.2xlarge"  = { cpu = "8", baseline = "8", memory = "32Gi" }
    "m.4xlarge"  = { cpu = "16", baseline = "16", memory = "64Gi" }
    "m.8xlarge"  = { cpu = "32", baseline = "32", memory = "128Gi" }
    "m.12xlarge" = { cpu = "48", baseline = "48", memory = "192Gi" }
    "m.16xlarge" = { cpu = "64", baseline = "64", memory = "256Gi" }
    "m.24xlarge" = { cpu = "96", baseline = "96", memory = "384Gi" }
  }
  type = split(".", var.instance_type)
  size = local.sizes["${substr(local.type[1], 0, 1)}.${local.type[2]}"]

  # What MSK has for a cluster without a configuration.
  copies = min(3, var.brokers)
  agreed = max(1, local.copies - 1)
  config = merge({
    "auto.create.topics.enable"                = "false"
    "default.replication.factor"               = tostring(local.copies)
    "min.insync.replicas"                      = tostring(local.agreed)
    "offsets.topic.replication.factor"         = tostring(local.copies)
    "transaction.state.log.replication.factor" = tostring(local.copies)
    "transaction.state.log.min.isr"            = tostring(local.agreed)
  }, var.config)

  listeners = concat(
    var.plain ? [{ name = "plain", port = 9092, type = "internal", tls = false }] : [],
    var.tls && !var.mutual ? [{ name = "tls", port = 9094, type = "internal", tls = true }] : [],
    var.tls && var.mutual ? [{ name = "tls", port = 9094, type = "internal", tls = true, authentication = { type = "tls" } }] : [],
    var.scram ? [{ name = "scram", port = 9096, type = "internal", tls = true, authentication = { type = "scram-sha-512" } }] : [],
  )

  # A pod has the names of cluster and pool, and at most 63 characters.
  pool  = length(local.name) <= 24 ? local.name : substr(sha1(local.name), 0, 8)
  owner = { "strimzi.io/cluster" = local.name }
  class = var.storage_class == null ? {} : { class = var.storage_class }

  kafka = {
    apiVersion = "kafka.strimzi.io/v1"
    kind       = "Kafka"
    metadata   = { name = local.name }
    spec = {
      kafka = {
        version         = local.version
        metadataVersion = local.versions[local.version].metadata
        listeners       = local.listeners
        config          = local.config
      }
      entityOperator = { topicOperator = {}, userOperator = {} }
    }
  }
  brokers = {
    apiVersion = "kafka.strimzi.io/v1"
    kind       = "KafkaNodePool"
    metadata   = { name = "${local.pool}-broker", labels = local.owner }
    spec = {
      replicas = var.brokers
      roles    = ["broker"]
      storage  = { type = "jbod", volumes = [merge(local.class, { id = 0, type = "persistent-claim", size = "${coalesce(var.storage, 0)}Gi" })] }
      resources = {
        requests = { cpu = local.size.baseline, memory = local.size.memory }
        limits   = { cpu = local.size.cpu, memory = local.size.memory }
      }
    }
  }
  controllers = {
    apiVersion = "kafka.strimzi.io/v1"
    kind       = "KafkaNodePool"
    metadata   = { name = "${local.pool}-controller", labels = local.owner }
    spec = {
      replicas = 3
      roles    = ["controller"]
      storage  = { type = "jbod", volumes = [merge(local.class, { id = 0, type = "persistent-claim", size = "10Gi", kraftMetadata = "shared" })] }
      resources = {
        requests = { cpu = "250m", memory = "1Gi" }
        limits   = { cpu = "1", memory = "1Gi" }
      }
    }
  }
  users = [for user in var.users : {
    apiVersion = "kafka.strimzi.io/v1"
    kind       = "KafkaUser"
    metadata   = { name = user, labels = local.owner }
    spec       = { authentication = { type = var.scram ? "scram-sha-512" : "tls" } }
  }]
}

resource "helm_release" "cluster" {
  name             = local.name
  namespace        = var.namespace
  create_namespace = true
  chart            = ".phi/services/strimzi/cluster/chart"
  values           = [yamlencode({ manifests = concat([local.kafka, local.brokers, local.controllers], local.users) })]

  depends_on = [var.operator]

  lifecycle {
    precondition {
      condition     = coalesce(var.storage, 0) > 0
      error_message = "The resource says no volume_size. Give the size of a broker's volume in GiB in the form factor's inputs: storage."
    }
    precondition {
      condition     = length(var.users) == 0 || var.scram || var.mutual
      error_message = "Users need a listener that asks who they are. Set client_authentication.sasl.scram, or client_authentication.tls."
    }
    precondition {
      condition     = lookup(var.config, "allow.everyone.if.no.acl.found", "true") == "true"
      error_message = "The service has no access control lists, so everybody who can log in may do everything. Take allow.everyone.if.no.acl.found out of the configuration where that will do."
    }
  }
}

output "plain" {
  description = "Where clients without TLS begin; empty where there is no such listener."
  value       = var.plain ? "${local.name}-kafka-bootstrap.${var.namespace}.svc:9092" : ""
}

output "tls" {
  description = "Where clients with TLS begin; empty where there is no such listener."
  value       = var.tls ? "${local.name}-kafka-bootstrap.${var.namespace}.svc:9094" : ""
}

output "scram" {
  description = "Where clients with passwords begin; empty where there is no such listener."
  value       = var.scram ? "${local.name}-kafka-bootstrap.${var.namespace}.svc:9096" : ""
}
