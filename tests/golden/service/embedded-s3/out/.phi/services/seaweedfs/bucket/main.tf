# One Bucket of SeaweedFS with an identity that may use it. The custom resources stand in a chart of their own, since
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
  description = "The name of the bucket."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", var.name)) && !strcontains(var.name, "..")
    error_message = "A bucket has 3 to 63 lower-case letters, digits, hyphens and dots."
  }
}

variable "reclaim" {
  description = "What becomes of it when the resource goes."
  type        = string
}

variable "lock" {
  description = "Whether objects may be locked."
  type        = bool
}

variable "status" {
  description = "Whether objects have versions, as AWS says it."
  type        = string

  validation {
    condition     = contains(["Enabled", "Suspended", "Disabled"], var.status)
    error_message = "Versioning is Enabled, Suspended or Disabled."
  }
}

variable "rules" {
  description = "Rules by which objects go, as AWS says them."
  type = list(object({
    id     = string
    status = string
    prefix = string
    filter = object({ prefix = string })
    expiration = object({
      days                         = number
      expired_object_delete_marker = bool
    })
    noncurrent_version_expiration = object({
      noncurrent_days           = number
      newer_noncurrent_versions = number
    })
    abort_incomplete_multipart_upload = object({ days_after_initiation = number })
  }))
}

variable "adopt" {
  description = "Whether a bucket that is there is taken over."
  type        = bool
}

variable "anonymous_read" {
  description = "Whether everybody may read."
  type        = bool
}

variable "cluster" {
  description = "The name of the cluster."
  type        = string
}

variable "namespace" {
  description = "The namespace."
  type        = string
}

variable "operator" {
  description = "What says that operator and cluster are there."
  type        = string
}

locals {
  api  = "seaweed.seaweedfs.com/v1"
  seat = { name = var.cluster }
  # A release of Helm has at most 53 characters, a bucket 63.
  release = length(var.name) <= 53 ? var.name : "${trimsuffix(substr(var.name, 0, 44), ".")}-${substr(sha1(var.name), 0, 8)}"

  bucket = {
    apiVersion = local.api
    kind       = "Bucket"
    metadata   = { name = var.name }
    spec = {
      name          = var.name
      clusterRef    = local.seat
      reclaimPolicy = var.reclaim
      adoptExisting = var.adopt
      versioning    = var.status == "Disabled" ? "Off" : var.status
      objectLock    = var.lock
      anonymousRead = var.anonymous_read
      access        = [{ user = var.name, actions = ["Read", "Write", "List", "Tagging"] }]
    }
  }
  identity = {
    apiVersion = local.api
    kind       = "S3Identity"
    metadata   = { name = var.name }
    spec       = { seaweedRef = local.seat, name = var.name }
  }
  credentials = {
    apiVersion = local.api
    kind       = "S3Credentials"
    metadata   = { name = var.name }
    spec       = { seaweedRef = local.seat, identityRef = { name = var.name }, secretRef = { name = "${var.name}-s3" } }
  }

  rules = [for at, rule in var.rules : merge(
    {
      id     = coalesce(rule.id, "rule-${at}")
      status = coalesce(rule.status, "Enabled")
      prefix = try(coalesce(rule.prefix, rule.filter.prefix), "")
    },
    try(rule.expiration.days, null) == null ? {} : { expiration = { days = rule.expiration.days } },
    try(rule.expiration.expired_object_delete_marker, null) == true ? { expiration = { expiredObjectDeleteMarker = true } } : {},
    try(rule.noncurrent_version_expiration.noncurrent_days, null) == null ? {} : {
      noncurrentVersionExpiration = merge(
        { noncurrentDays = rule.noncurrent_version_expiration.noncurrent_days },
        rule.noncurrent_version_expiration.newer_noncurrent_versions == null ? {} : {
          newerNoncurrentVersions = rule.noncurrent_version_expiration.newer_noncurrent_versions
        }
      )
    },
    try(rule.abort_incomplete_multipart_upload.days_after_initiation, null) == null ? {} : {
      abortIncompleteMultipartUpload = { daysAfterInitiation = rule.abort_incomplete_multipart_upload.days_after_initiation }
    },
  )]
  # A rule that only moved objects to another class says nothing here.
  kept = [for rule in local.rules : rule if length(rule) > 3]
  policies = length(local.kept) == 0 ? [] : [{
    apiVersion = local.api
    kind       = "BucketLifecyclePolicy"
    metadata   = { name = var.name }
    spec       = { bucketRef = { name = var.name }, rules = local.kept }
  }]
}

resource "helm_release" "bucket" {
  name             = local.release
  namespace        = var.namespace
  create_namespace = true
  chart            = "${path.module}/chart"
  values           = [yamlencode({ manifests = concat([local.identity, local.credentials, local.bucket], local.policies) })]

  depends_on = [var.operator]
}
