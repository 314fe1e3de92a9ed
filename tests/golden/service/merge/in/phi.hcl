settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  environment = "kubernetes"
  services    = ["bucket"]
}
service "bucket" {
  replaces = "aws_s3_bucket"
  module   = "./services/bucket"

  merge "aws_s3_bucket_versioning" {
    by   = "bucket"
    into = "versioning"
  }
  merge "aws_s3_bucket_policy" {
    by   = "bucket"
    into = "policy"
  }
  merge "aws_s3_bucket_node" {
    by   = "bucket"
    into = "nodes"
  }

  ignores = {
    "versioning.mfa" = "There is none."
  }
}
