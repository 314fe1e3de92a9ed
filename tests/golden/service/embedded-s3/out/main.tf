# A bucket with its satellites, in SeaweedFS: versioning and lifecycle become arguments, the others go.
# phi: aws_s3_bucket.assets — service: seaweedfs — form factor: on-prem
module "assets" {
  source    = "./.phi/services/seaweedfs/aws_s3_bucket"
  namespace = "storage"
  operator  = module.seaweedfs_operator.ready
  bucket_lifecycle = {
    rule = [{
      id     = "old"
      status = "Enabled"

      filter = {
        prefix = "logs/"
      }

      expiration = {
        days = 90
      }
      }, {
      id     = "parts"
      status = "Enabled"

      filter = {}

      abort_incomplete_multipart_upload = {
        days_after_initiation = 7
      }
    }]
  }
  bucket_versioning = {
    versioning_configuration = {
      status = "Enabled"
    }
  }
  bucket        = "assets"
  force_destroy = true
}

output "bucket" {
  value = { name = module.assets.id, arn = module.assets.arn }
}
