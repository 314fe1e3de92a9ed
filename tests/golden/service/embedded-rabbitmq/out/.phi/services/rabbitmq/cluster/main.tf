# One RabbitmqCluster. The custom resource stands in a chart of its own, since kubernetes_manifest asks the API server for the
# definition already while it plans, and a new cluster has none before the operator is there.

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
    condition     = can(regex("^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$", lower(replace(var.name, "_", "-"))))
    error_message = "The name becomes that of a cluster of RabbitMQ: at most 40 letters, digits and hyphens, a letter first."
  }
}

variable "engine_version" {
  description = "The version of RabbitMQ."
  type        = string
}

variable "instance_type" {
  description = "The instance type of Amazon MQ."
  type        = string

  validation {
    condition     = can(regex("^mq\\.(t3\\.micro|m[5-8][a-z]*\\.(medium|large|xlarge|2xlarge|4xlarge|8xlarge|12xlarge|16xlarge))$", var.instance_type))
    error_message = "The service knows the sizes of mq.t3.micro, and of mq.m instances, medium to 16xlarge. Choose one of these."
  }
}

variable "replicas" {
  description = "How many pods there are."
  type        = number
}

variable "username" {
  description = "The user."
  type        = string
}

variable "user_secret" {
  description = "The secret with its password; empty where the operator makes one."
  type        = string
}

variable "config" {
  description = "Lines of rabbitmq.conf."
  type        = string
}

variable "tls_secret" {
  description = "The secret with the certificate."
  type        = string
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

variable "mirror" {
  description = "The registry that the image comes from."
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
  name  = lower(replace(var.name, "_", "-"))
  minor = join(".", slice(split(".", var.engine_version), 0, 2))

  # docker-library/rabbitmq; the version that the operator takes by itself.
  images = {
    "4.2" = "4.2.6-management"
  }
  image = local.images[local.minor]

  # What an instance of Amazon MQ has. The burstable one asks for its baseline and may take all of its CPUs.
  sizes = {
    "t.micro"    = { cpu = "2", baseline = "200m", memory = "1Gi", volume = 20 }
    "m.medium"   = { cpu = "1", baseline = "1", memory = "4Gi", volume = 200 }
    "m.large"    = { cpu = "2", baseline = "2", memory = "8Gi", volume = 200 }
    "m.xlarge"   = { cpu = "4", baseline = "4", memory = "16Gi", volume = 200 }
    "m.2xlarge"  = { cpu = "8", baseline = "8", memory = "32Gi", volume = 200 }
    "m.4xlarge"  = { cpu = "16", baseline = "16", memory = "64Gi", volume = 200 }
    "m.8xlarge"  = { cpu = "32", baseline = "32", memory = "128Gi", volume = 200 }
    "m.12xlarge" = { cpu = "48", baseline = "48", memory = "192Gi", volume = 200 }
    "m.16xlarge" = { cpu = "64", baseline = "64", memory = "256Gi", volume = 200 }
  }
  type = split(".", var.instance_type)
  size = local.sizes["${substr(local.type[1], 0, 1)}.${local.type[2]}"]

  own_user = var.user_secret == ""
  lines    = concat(local.own_user ? ["default_user = ${var.username}"] : [], compact([for line in split("\n", var.config) : trimspace(line)]))
  class    = var.storage_class == null ? {} : { storageClassName = var.storage_class }
  pull     = var.image_pull_secret == null ? {} : { imagePullSecrets = [{ name = var.image_pull_secret }] }
  tls      = var.tls_secret == null ? {} : { tls = { secretName = var.tls_secret, disableNonTLSListeners = true } }
  secret   = local.own_user ? {} : { secretBackend = { externalSecret = { name = var.user_secret } } }
  cluster = {
    apiVersion = "rabbitmq.com/v1beta1"
    kind       = "RabbitmqCluster"
    metadata   = { name = local.name }
    spec = merge(local.pull, local.tls, local.secret, {
      replicas    = var.replicas
      image       = "${coalesce(var.mirror, "docker.io")}/library/rabbitmq:${local.image}"
      persistence = merge(local.class, { storage = "${coalesce(var.storage, local.size.volume)}Gi" })
      rabbitmq    = { additionalConfig = join("\n", local.lines) }
      resources = {
        requests = { cpu = local.size.baseline, memory = local.size.memory }
        limits   = { cpu = local.size.cpu, memory = local.size.memory }
      }
    })
  }
  scheme = var.tls_secret == null ? { amqp = "amqp", port = 5672, http = "http", console = 15672 } : { amqp = "amqps", port = 5671, http = "https", console = 15671 }
}

resource "helm_release" "cluster" {
  name             = local.name
  namespace        = var.namespace
  create_namespace = true
  chart            = "${path.module}/chart"
  values           = [yamlencode({ manifests = [local.cluster] })]

  depends_on = [var.operator]
}

output "endpoint" {
  description = "Where clients begin."
  value       = "${local.scheme.amqp}://${local.name}.${var.namespace}.svc:${local.scheme.port}"
}

output "console" {
  description = "The management console."
  value       = "${local.scheme.http}://${local.name}.${var.namespace}.svc:${local.scheme.console}"
}
