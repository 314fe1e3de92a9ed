# aws_s3_bucket, in a cluster of SeaweedFS.

variable "bucket" {
  description = "The name of the bucket. The keys for it are in the secret NAME-s3, as accessKey and secretKey; the address is http://CLUSTER-s3.NAMESPACE.svc:8333, with the bucket in the path."
  type        = string
}

variable "force_destroy" {
  description = "Whether objects go with the bucket. Otherwise bucket and objects stay in SeaweedFS when the resource goes."
  type        = bool
  default     = false
  nullable    = false
}

variable "object_lock_enabled" {
  description = "Whether objects may be locked; the bucket is versioned then."
  type        = bool
  default     = false
  nullable    = false
}

variable "bucket_versioning" {
  description = "Of it versioning_configuration.status says whether objects have versions."
  type        = object({ versioning_configuration = object({ status = string }) })
  default     = null
}

variable "bucket_lifecycle" {
  description = "Rules by which objects go: expiration, noncurrent_version_expiration and abort_incomplete_multipart_upload, for all objects or a prefix."
  type = object({
    rule = list(object({
      id     = optional(string)
      status = optional(string)
      prefix = optional(string)
      filter = optional(object({ prefix = optional(string) }))
      expiration = optional(object({
        days                         = optional(number)
        expired_object_delete_marker = optional(bool)
      }))
      noncurrent_version_expiration = optional(object({
        noncurrent_days           = optional(number)
        newer_noncurrent_versions = optional(number)
      }))
      abort_incomplete_multipart_upload = optional(object({ days_after_initiation = optional(number) }))
    }))
  })
  default = null
}

variable "adopt" {
  description = "Whether a bucket of this name that is there already is taken over."
  type        = bool
  default     = false
  nullable    = false
}

variable "anonymous_read" {
  description = "Whether everybody may read every object."
  type        = bool
  default     = false
  nullable    = false
}

variable "cluster" {
  description = "The name of the cluster."
  type        = string
  default     = "seaweedfs"
  nullable    = false
}

variable "namespace" {
  description = "The namespace of cluster and buckets."
  type        = string
  default     = "default"
  nullable    = false
}

variable "operator" {
  description = "What says that operator and cluster are there."
  type        = string
  default     = null
}

module "bucket" {
  source = "../bucket"

  name           = var.bucket
  reclaim        = var.force_destroy ? "Delete" : "Retain"
  lock           = var.object_lock_enabled
  status         = var.object_lock_enabled ? "Enabled" : try(var.bucket_versioning.versioning_configuration.status, "Disabled")
  rules          = try(var.bucket_lifecycle.rule, [])
  adopt          = var.adopt
  anonymous_read = var.anonymous_read
  cluster        = var.cluster
  namespace      = var.namespace
  operator       = var.operator
}

output "id" {
  value = var.bucket
}

output "bucket" {
  value = var.bucket
}

output "arn" {
  description = "As policies of SeaweedFS name it, too."
  value       = "arn:aws:s3:::${var.bucket}"
}

output "force_destroy" {
  value = var.force_destroy
}
