# S3: buckets in a cluster of SeaweedFS, https://github.com/seaweedfs/seaweedfs-operator
# Chart 0.1.39 with operator 1.0.36, SeaweedFS 4.44.

service "seaweedfs" {
  replaces = "aws_s3_bucket"
  module   = "./aws_s3_bucket"
  operator = "./operator"
  posture  = "baseline"

  charts = ["https://seaweedfs.github.io/seaweedfs-operator/seaweedfs-operator:0.1.39"]
  images = [
    "docker.io/chrislusf/seaweedfs-operator:1.0.36",
    "docker.io/chrislusf/seaweedfs:4.44",
  ]

  merge "aws_s3_bucket_lifecycle_configuration" {
    by   = "bucket"
    into = "bucket_lifecycle"
  }

  merge "aws_s3_bucket_versioning" {
    by   = "bucket"
    into = "bucket_versioning"
  }

  refuses = {
    bucket_prefix                                           = "A name has to be known before it is made. Say the whole name: bucket."
    cors_rule                                               = "Rules for browsers aren't carried over. Serve the objects through the application, or set the rules by its S3 client."
    lifecycle_rule                                          = "Write it as aws_s3_bucket_lifecycle_configuration, which is carried over."
    object_lock_configuration                               = "Set object_lock_enabled = true, and the retention of an object when it is written."
    replication_configuration                               = "The service stands in one place."
    versioning                                              = "Write it as aws_s3_bucket_versioning, which is carried over."
    website                                                 = "The service is no web server."
    "bucket_lifecycle.rule.expiration.date"                 = "SeaweedFS knows no dates. Say days."
    "bucket_lifecycle.rule.filter.and"                      = "SeaweedFS knows prefixes alone: without the other conditions more objects would go. Write the rule with a prefix."
    "bucket_lifecycle.rule.filter.object_size_greater_than" = "SeaweedFS knows prefixes alone: without the condition more objects would go. Write the rule with a prefix."
    "bucket_lifecycle.rule.filter.object_size_less_than"    = "SeaweedFS knows prefixes alone: without the condition more objects would go. Write the rule with a prefix."
    "bucket_lifecycle.rule.filter.tag"                      = "SeaweedFS knows prefixes alone: without the condition more objects would go. Write the rule with a prefix."
    "bucket_versioning.versioning_configuration.mfa_delete" = "SeaweedFS knows no MFA."
    "bucket_versioning.mfa"                                 = "SeaweedFS knows no MFA."
  }

  ignores = {
    acceleration_status                                       = "CloudFront is AWS's."
    acl                                                       = "Only who has the keys gets in; for all readers set the form factor's input anonymous_read."
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
    aws_s3_bucket_acl                                  = "Only who has the keys gets in; for all readers set the form factor's input anonymous_read."
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
