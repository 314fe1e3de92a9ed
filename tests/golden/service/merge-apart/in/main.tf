# A satellite that is repeated otherwise than its owner.
resource "aws_s3_bucket" "each" {
  for_each = toset(["x", "y"])
  bucket   = each.key
}

resource "aws_s3_bucket_versioning" "each" {
  bucket = aws_s3_bucket.each["x"].id
  status {
    value = "Enabled"
  }
}
