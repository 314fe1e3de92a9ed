# One claim of a bucket. It stands in a chart of its own, as the custom resources of the other services do.

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

variable "storage_class" {
  description = "The storage class of buckets."
  type        = string
}

variable "namespace" {
  description = "The namespace."
  type        = string
}

variable "max_size" {
  description = "How much the bucket's user may keep."
  type        = string
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
    noncurrent_version_expiration     = object({ noncurrent_days = number })
    abort_incomplete_multipart_upload = object({ days_after_initiation = number })
  }))
}

locals {
  # A release of Helm has at most 53 characters, a bucket 63.
  release = length(var.name) <= 53 ? var.name : "${trimsuffix(substr(var.name, 0, 44), ".")}-${substr(sha1(var.name), 0, 8)}"

  rules = [for at, rule in var.rules : merge(
    {
      ID     = coalesce(rule.id, "rule-${at}")
      Status = coalesce(rule.status, "Enabled")
      Prefix = try(coalesce(rule.prefix, rule.filter.prefix), "")
    },
    try(rule.expiration.days, null) == null ? {} : { Expiration = { Days = rule.expiration.days } },
    try(rule.expiration.expired_object_delete_marker, null) == true ? { Expiration = { ExpiredObjectDeleteMarker = true } } : {},
    try(rule.noncurrent_version_expiration.noncurrent_days, null) == null ? {} : {
      NoncurrentVersionExpiration = { NoncurrentDays = rule.noncurrent_version_expiration.noncurrent_days }
    },
    try(rule.abort_incomplete_multipart_upload.days_after_initiation, null) == null ? {} : {
      AbortIncompleteMultipartUpload = { DaysAfterInitiation = rule.abort_incomplete_multipart_upload.days_after_initiation }
    },
  )]
  # A rule that only moved objects to another class says nothing here. Rook wants the others in the order of their names.
  kept   = { for rule in local.rules : rule.ID => rule if length(rule) > 3 }
  policy = length(local.kept) == 0 ? {} : { bucketLifecycle = jsonencode({ Rules = values(local.kept) }) }
  quota  = var.max_size == null ? {} : { maxSize = var.max_size }
  claim = {
    apiVersion = "objectbucket.io/v1alpha1"
    kind       = "ObjectBucketClaim"
    metadata   = { name = var.name }
    spec = {
      bucketName       = var.name
      storageClassName = var.storage_class
      additionalConfig = merge(local.quota, local.policy)
    }
  }
}

resource "helm_release" "bucket" {
  name             = local.release
  namespace        = var.namespace
  create_namespace = true
  chart            = "${path.module}/chart"
  values           = [yamlencode({ manifests = [local.claim] })]
}
