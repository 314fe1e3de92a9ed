# aws_s3_bucket, in an object store of Ceph that Rook keeps.

variable "bucket" {
  description = "The name of the bucket. The secret and the config map of this name hold the keys and the address."
  type        = string
}

variable "storage_class" {
  description = "The storage class of buckets, which says in which object store they are, and what becomes of them when the resource goes."
  type        = string
}

variable "namespace" {
  description = "The namespace of claim, secret and config map."
  type        = string
  default     = "default"
  nullable    = false
}

variable "max_size" {
  description = "How much the bucket's user may keep, as \"100G\"."
  type        = string
  default     = null
}

variable "bucket_versioning" {
  description = "Only Disabled and Suspended are possible."
  type        = object({ versioning_configuration = object({ status = string }) })
  default     = null

  validation {
    condition     = try(var.bucket_versioning.versioning_configuration.status, "Disabled") != "Enabled"
    error_message = "A claim of Rook makes no bucket with versions. Do without them, or use the service seaweedfs."
  }
}

variable "bucket_lifecycle" {
  description = "Rules by which objects go: expiration, noncurrent_version_expiration and abort_incomplete_multipart_upload. Rook's operator has to allow bucketLifecycle in ROOK_OBC_ALLOW_ADDITIONAL_CONFIG_FIELDS."
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
      noncurrent_version_expiration     = optional(object({ noncurrent_days = optional(number) }))
      abort_incomplete_multipart_upload = optional(object({ days_after_initiation = optional(number) }))
    }))
  })
  default = null
}

module "bucket" {
  source = "../bucket"

  name          = var.bucket
  storage_class = var.storage_class
  namespace     = var.namespace
  max_size      = var.max_size
  rules         = try(var.bucket_lifecycle.rule, [])
}

output "id" {
  value = var.bucket
}

output "bucket" {
  value = var.bucket
}

output "arn" {
  description = "As policies of Ceph name it, too."
  value       = "arn:aws:s3:::${var.bucket}"
}
