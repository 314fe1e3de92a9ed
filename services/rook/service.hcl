# S3 where Rook keeps a Ceph already: a claim of a bucket, https://rook.io
# Rook 1.20. Nothing is installed: operator, object store and a storage class of buckets are there.

service "rook" {
  replaces = "aws_s3_bucket"
  module   = "./aws_s3_bucket"
  posture  = "restricted"

  merge "aws_s3_bucket_lifecycle_configuration" {
    by   = "bucket"
    into = "bucket_lifecycle"
  }

  merge "aws_s3_bucket_versioning" {
    by   = "bucket"
    into = "bucket_versioning"
  }

  refuses = {
    bucket_prefix                                                                   = "A name has to be known before it is made. Say the whole name: bucket."
    cors_rule                                                                       = "Rules for browsers aren't carried over. Serve the objects through the application, or set the rules by its S3 client."
    lifecycle_rule                                                                  = "Write it as aws_s3_bucket_lifecycle_configuration, which is carried over."
    object_lock_configuration                                                       = "A claim of Rook makes no bucket with locks."
    object_lock_enabled                                                             = "A claim of Rook makes no bucket with locks."
    replication_configuration                                                       = "The service stands in one place."
    versioning                                                                      = "Write it as aws_s3_bucket_versioning, which is carried over."
    website                                                                         = "The service is no web server."
    "bucket_lifecycle.rule.expiration.date"                                         = "The service knows no dates. Say days."
    "bucket_lifecycle.rule.filter.and"                                              = "The service knows prefixes alone: without the other conditions more objects would go. Write the rule with a prefix."
    "bucket_lifecycle.rule.filter.object_size_greater_than"                         = "The service knows prefixes alone: without the condition more objects would go. Write the rule with a prefix."
    "bucket_lifecycle.rule.filter.object_size_less_than"                            = "The service knows prefixes alone: without the condition more objects would go. Write the rule with a prefix."
    "bucket_lifecycle.rule.filter.tag"                                              = "The service knows prefixes alone: without the condition more objects would go. Write the rule with a prefix."
    "bucket_lifecycle.rule.noncurrent_version_expiration.newer_noncurrent_versions" = "A claim of Rook keeps no number of versions: more of them would go."
    "bucket_versioning.versioning_configuration.mfa_delete"                         = "Ceph is asked for no MFA."
    "bucket_versioning.mfa"                                                         = "Ceph is asked for no MFA."
  }

  ignores = {
    force_destroy                                             = "The storage class of buckets decides."
    acceleration_status                                       = "CloudFront is AWS's."
    acl                                                       = "Only who has the keys gets in."
    grant                                                     = "Only who has the keys gets in."
    logging                                                   = "Logs are those of the pods."
    policy                                                    = "A policy names principals of AWS. Only who has the keys gets in."
    region                                                    = "The service stands in one place."
    request_payer                                             = "Nobody pays by request."
    server_side_encryption_configuration                      = "The storage class decides whether volumes are encrypted."
    tags                                                      = "Labels of Kubernetes allow fewer characters than tags of AWS."
    timeouts                                                  = "Helm has a timeout of its own."
    "bucket_lifecycle.expected_bucket_owner"                  = "There are no accounts."
    "bucket_lifecycle.rule.noncurrent_version_transition"     = "There is one class of storage."
    "bucket_lifecycle.rule.transition"                        = "There is one class of storage."
    "bucket_lifecycle.transition_default_minimum_object_size" = "There is one class of storage."
    "bucket_versioning.expected_bucket_owner"                 = "There are no accounts."
  }

  drops = {
    aws_s3_bucket_accelerate_configuration             = "CloudFront is AWS's."
    aws_s3_bucket_acl                                  = "Only who has the keys gets in."
    aws_s3_bucket_analytics_configuration              = "Analytics are AWS's."
    aws_s3_bucket_intelligent_tiering_configuration    = "There is one class of storage."
    aws_s3_bucket_inventory                            = "Inventories are AWS's."
    aws_s3_bucket_logging                              = "Logs are those of the pods."
    aws_s3_bucket_metric                               = "CloudWatch is AWS's."
    aws_s3_bucket_ownership_controls                   = "There are no accounts, and no lists of access."
    aws_s3_bucket_policy                               = "A policy names principals of AWS. Only who has the keys gets in."
    aws_s3_bucket_public_access_block                  = "Only who has the keys gets in."
    aws_s3_bucket_request_payment_configuration        = "Nobody pays by request."
    aws_s3_bucket_server_side_encryption_configuration = "The storage class decides whether volumes are encrypted."
    "data.aws_iam_policy_document"                     = "A policy names principals of AWS."
  }
}
