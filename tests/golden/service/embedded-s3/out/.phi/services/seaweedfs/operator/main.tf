# The operator of SeaweedFS and one cluster for all buckets, once.

terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = ">= 2.17.0"
    }
  }
}

variable "mirror" {
  description = "The registry that images and charts come from: charts/seaweedfs-operator, chrislusf/seaweedfs-operator and chrislusf/seaweedfs below it."
  type        = string
  default     = null
}

variable "image_pull_secret" {
  description = "The secret for the registry, in both namespaces."
  type        = string
  default     = null
}

variable "operator_namespace" {
  description = "The operator's namespace."
  type        = string
  default     = "seaweedfs-operator"
  nullable    = false
}

variable "namespace" {
  description = "The namespace of cluster and buckets."
  type        = string
  default     = "default"
  nullable    = false
}

variable "cluster" {
  description = "The name of the cluster."
  type        = string
  default     = "seaweedfs"
  nullable    = false
}

variable "servers" {
  description = "How many servers keep objects. With two and more, each object is on two of them."
  type        = number
  default     = 3
  nullable    = false

  validation {
    condition     = var.servers >= 1
    error_message = "A cluster has one server at least."
  }
}

variable "storage" {
  description = "The size of each server's volume in GiB."
  type        = number
  default     = 100
  nullable    = false
}

variable "storage_class" {
  description = "The storage class; otherwise the cluster's default."
  type        = string
  default     = null
}

locals {
  registry = coalesce(var.mirror, "docker.io")
  version  = "4.44"
  pull     = var.image_pull_secret == null ? {} : { imagePullSecrets = [{ name = var.image_pull_secret }] }
  class    = var.storage_class == null ? {} : { storageClassName = var.storage_class }
  operator = {
    image            = { registry = "${local.registry}/chrislusf", tag = "1.0.36", pullSecrets = var.image_pull_secret == null ? "" : var.image_pull_secret }
    webhook          = { enabled = false }
    grafanaDashboard = { enabled = false }
  }
  cluster = {
    apiVersion = "seaweed.seaweedfs.com/v1"
    kind       = "Seaweed"
    metadata   = { name = var.cluster }
    spec = merge(local.pull, {
      image                 = "${local.registry}/chrislusf/seaweedfs:${local.version}"
      volumeServerDiskCount = 1
      master = {
        replicas           = var.servers > 1 ? 3 : 1
        defaultReplication = var.servers > 1 ? "001" : "000"
      }
      volume = merge(local.class, { replicas = var.servers, requests = { storage = "${var.storage}Gi" } })
      filer = {
        replicas    = 1
        persistence = merge(local.class, { enabled = true, resources = { requests = { storage = "10Gi" } } })
      }
      s3 = { replicas = var.servers > 1 ? 2 : 1 }
    })
  }
}

resource "helm_release" "operator" {
  name             = "seaweedfs-operator"
  namespace        = var.operator_namespace
  create_namespace = true
  repository       = var.mirror == null ? "https://seaweedfs.github.io/seaweedfs-operator/" : "oci://${var.mirror}/charts"
  chart            = "seaweedfs-operator"
  version          = "0.1.39"
  values           = [yamlencode(local.operator)]
}

resource "helm_release" "cluster" {
  name             = var.cluster
  namespace        = var.namespace
  create_namespace = true
  chart            = "${path.module}/chart"
  values           = [yamlencode({ manifests = [local.cluster] })]

  depends_on = [helm_release.operator]
}

output "ready" {
  description = "Known once operator and cluster are there."
  value       = helm_release.cluster.id
}
