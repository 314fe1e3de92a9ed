# Satellites with a refused argument, and several where the template takes one.
resource "aws_s3_bucket" "locked" {
  bucket = "locked"
}

resource "aws_s3_bucket_versioning" "locked" {
  bucket = aws_s3_bucket.locked.id
  status {
    value  = "Enabled"
    locked = true
  }
}

resource "aws_s3_bucket" "twice" {
  bucket = "twice"
}

resource "aws_s3_bucket_policy" "one" {
  bucket = aws_s3_bucket.twice.id
}

resource "aws_s3_bucket_policy" "two" {
  bucket = aws_s3_bucket.twice.id
}
